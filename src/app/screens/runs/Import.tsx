import { FileButton } from '../../widgets/FileButton.tsx';
import { later } from '../../components/later.tsx';
import { FailureNotice, NoticeStack } from '../../widgets/Notice.tsx';
import { NETWORK_FILES } from '../../exchange/files.ts';
import { runs as texts } from '../../messages/en/runs.tsx';
import { VERBS } from '../verbs.ts';
import { dismiss, takeFiles, useIncoming } from './incoming.ts';

const ImportDialog = later(
  'Import',
  async () => (await import('../../exchange/ImportDialog.tsx')).ImportDialog,
);

/** Takes archives of runs, and networks of other programs. */
export function Import() {
  const network = useIncoming((state) => state.network);
  return (
    <>
      <FileButton
        verb={VERBS.importRuns}
        label={texts.imports.label}
        accept={NETWORK_FILES}
        multiple
        onFiles={(files) => void takeFiles(files)}
      />
      {network && (
        <ImportDialog files={network} onClose={() => useIncoming.setState({ network: undefined })} />
      )}
    </>
  );
}

/** What became of the files that were taken. */
export function ImportNotices() {
  const { reading, names, errors } = useIncoming();
  return (
    <>
      <div role="status">
        <NoticeStack>
          {reading && <p className="soft">{texts.imports.reading}</p>}
          {!reading && names.length > 0 && <p className="soft">{texts.imports.imported(names.join(', '))}</p>}
        </NoticeStack>
      </div>
      <NoticeStack>
        {errors.map((error) => (
          <FailureNotice
            key={error.message}
            title={texts.imports.failed}
            error={error}
            onDismiss={() => dismiss(error)}
          />
        ))}
      </NoticeStack>
    </>
  );
}
