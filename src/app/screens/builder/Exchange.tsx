import { useState } from 'react';
import { Button } from '../../widgets/Button.tsx';
import { later } from '../../components/later.tsx';
import type { ExportSubject } from '../../exchange/ExportDialog.tsx';
import { OWN_MODEL } from '../../state/own-model.ts';
import { useApp } from '../../state/store.ts';
import { build as texts } from '../../messages/en/build.tsx';
import { VERBS } from '../verbs.ts';
import { choiceForTrain, useBuild } from './build-store.ts';
import { useKnown, useModel } from './use-known.ts';

const ExportDialog = later(
  'Export',
  async () => (await import('../../exchange/ExportDialog.tsx')).ExportDialog,
);
const ImportDialog = later(
  'Import',
  async () => (await import('../../exchange/ImportDialog.tsx')).ImportDialog,
);

/** Ways out for the model here, and in for those of other programs. */
export function Exchange() {
  const [exporting, setExporting] = useState(false);
  const importing = useBuild((state) => state.importing);
  const { errors } = useKnown();
  const subjects = useSubjects();
  return (
    <>
      <Button
        verb={VERBS.exportModel}
        obstacle={errors.length > 0 ? texts.invalidModel : undefined}
        onPress={() => setExporting(true)}
      />
      {exporting && <ExportDialog subjects={subjects} onClose={() => setExporting(false)} />}
      {importing && (
        <ImportDialog
          key={importing.map(({ name }) => name).join('/')}
          files={importing}
          onClose={() => useBuild.setState({ importing: undefined })}
        />
      )}
    </>
  );
}

/** The weights of the current run, if it trains this model, and initial ones. */
function useSubjects(): ExportSubject[] {
  const model = useModel();
  const choice = useBuild(choiceForTrain);
  const trained = useApp(({ runConfig, runId }) => {
    if (!runConfig || runId === 0) return false;
    const { model: own } = runConfig;
    return choice === OWN_MODEL ? JSON.stringify(own) === JSON.stringify(model) : own === choice;
  });
  const initial = { title: texts.weights.initial, source: { model } };
  return trained ? [{ title: texts.weights.ofRun, source: { open: true } }, initial] : [initial];
}
