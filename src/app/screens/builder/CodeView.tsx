import { useState } from 'react';
import type { CodeLanguage } from '../../../worker/api.ts';
import { ask } from '../../client.ts';
import { copyText } from '../../clipboard.ts';
import { Button } from '../../widgets/Button.tsx';
import { Choice } from '../../widgets/Choice.tsx';
import { Code } from '../../components/code/Code.tsx';
import { FailureNotice } from '../../widgets/Notice.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import { useAnswer } from '../../components/use-answer.ts';
import { download } from '../../download.ts';
import styles from './Build.module.css';
import { useModel } from './use-known.ts';

const EXPLANATIONS: Readonly<Record<CodeLanguage, string>> = {
  pytorch: 'Self-contained. Parameter names match wgrad’s weight files (safetensors).',
  keras: 'Keras 3, functional API. Gives the same outputs for the same weights.',
  json: 'Model file. Reopen it here, or train it with “wgrad train --model FILE.json”.',
};

/** The model as a program or a file, to read, copy and download. */
export function CodeView() {
  const model = useModel();
  const [language, setLanguage] = useState<CodeLanguage>('pytorch');
  const [copied, setCopied] = useState<string>();
  const answer = useAnswer(JSON.stringify([model, language]), () =>
    ask((api) => api.modelCode(model, language)),
  );
  const text = answer?.ok ? answer.value : undefined;
  const obstacle = text === undefined ? 'Nothing to export yet.' : undefined;
  const file =
    language === 'json' ? `${model.name}.json` : `${model.name.replaceAll('-', '_')}_${language}.py`;
  const copy = async () => {
    const done = await copyText(text ?? '');
    setCopied(done ? 'Copied.' : 'Could not copy. Select the text and copy it manually.');
  };
  return (
    <Panel
      title="Code"
      explanation={EXPLANATIONS[language]}
      aside={
        <div className="row">
          <Choice
            label="Language"
            value={language}
            options={{ pytorch: 'PyTorch', keras: 'Keras', json: 'JSON' }}
            onChange={(chosen) => {
              setLanguage(chosen);
              setCopied(undefined);
            }}
          />
          <Button icon="copy" obstacle={obstacle} onPress={() => void copy()}>
            Copy
          </Button>
          <Button
            icon="download"
            obstacle={obstacle}
            onPress={() =>
              download(file, language === 'json' ? 'application/json' : 'text/x-python', text ?? '')
            }
          >
            Download
          </Button>
          <span role="status" className={`faint ${styles.copied}`}>
            {copied}
          </span>
        </div>
      }
    >
      {answer && !answer.ok && <FailureNotice kind="warning" title="No code to show" error={answer.error} />}
      {text !== undefined && <Code text={text} language="Python" label={`${model.title} as ${language}`} />}
    </Panel>
  );
}
