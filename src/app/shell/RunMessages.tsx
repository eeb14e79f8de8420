import { Notice } from '../widgets/Notice.tsx';
import { useApp } from '../state/store.ts';

/** What happened to the open run besides training. */
export function RunMessages() {
  const stopReason = useApp((state) => state.stopReason);
  const notice = useApp((state) => state.runNotice);
  const saveError = useApp((state) => state.saveError);
  return (
    <>
      {stopReason !== undefined && (
        <Notice
          kind="info"
          title="Stopped early"
          onDismiss={() => useApp.setState({ stopReason: undefined })}
        >
          <p>{stopReason} Select Resume to continue.</p>
        </Notice>
      )}
      {notice !== undefined && (
        <Notice
          kind="info"
          title="Other convolution algorithms"
          onDismiss={() => useApp.setState({ runNotice: undefined })}
        >
          <p>{notice}</p>
        </Notice>
      )}
      {saveError && (
        <Notice
          kind="warning"
          title={
            saveError.code === 'bad-file'
              ? 'The saved checkpoint is damaged'
              : 'This run is not being saved for your next visit'
          }
          onDismiss={() => useApp.setState({ saveError: undefined })}
        >
          <p>
            {saveError.message}. {saveError.advice}
          </p>
        </Notice>
      )}
    </>
  );
}
