import { useState } from 'react';
import { later } from '../../components/later.tsx';
import { ScreenHead } from '../../components/ScreenHead.tsx';
import { lessons as texts } from '../../messages/lessons.ts';
import { hrefOf, useRoute } from '../../route.ts';
import { LessonList } from './LessonList.tsx';
import { LessonView } from './LessonView.tsx';

const Editor = later('The lesson editor', async () => (await import('./Editor.tsx')).Editor);
const Submissions = later(
  'What was handed in',
  async () => (await import('./submissions/Submissions.tsx')).Submissions,
);

/** All lessons, one of them at its address, such as `#/lessons/learning-rate`, or one that is being made. */
export function LessonsScreen() {
  const address = useAddress();
  return (
    <>
      <ScreenHead title={texts.title} explanation={texts.explanation}>
        {address !== '' && <a href={hrefOf('lessons')}>{texts.back}</a>}
      </ScreenHead>
      {address === '' ? (
        <LessonList />
      ) : address === 'new' ? (
        <Editor />
      ) : address === 'submissions' ? (
        <Submissions />
      ) : (
        <LessonView key={address} address={address} />
      )}
    </>
  );
}

/** What is shown: as the address had it last, while another screen is. */
function useAddress(): string {
  const { screen, view, parameters } = useRoute();
  const query = new URLSearchParams(parameters).toString();
  const now = query ? `${view}?${query}` : view;
  const [address, setAddress] = useState(now);
  if (screen === 'lessons' && now !== address) setAddress(now);
  return address;
}
