/** The texts around the screens. */
const english = {
  report: {
    title: 'Report a problem',
    label: 'Report',
    about:
      'Nothing is sent. Copy this into your report, and add what you did, what you expected and what happened. The address has your settings.',
  },
};

export default english;
