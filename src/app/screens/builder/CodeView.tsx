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
import { build as texts } from '../../messages/en/build.tsx';
import styles from './Build.module.css';
import { useModel } from './use-known.ts';

/** The model as a program or a file, to read, copy and download. */
export function CodeView() {
  const model = useModel();
  const [language, setLanguage] = useState<CodeLanguage>('pytorch');
  const [copied, setCopied] = useState<string>();
  const answer = useAnswer(JSON.stringify([model, language]), () =>
    ask((api) => api.builder.modelCode(model, language)),
  );
  const text = answer?.ok ? answer.value : undefined;
  const obstacle = text === undefined ? texts.code.nothing : undefined;
  const file =
    language === 'json' ? `${model.name}.json` : `${model.name.replaceAll('-', '_')}_${language}.py`;
  const copy = async () => {
    const done = await copyText(text ?? '');
    setCopied(done ? texts.code.copied : texts.code.notCopied);
  };
  return (
    <Panel
      title={texts.code.title}
      explanation={texts.code[language]}
      aside={
        <div className="row">
          <Choice
            label={texts.code.language}
            value={language}
            options={{ pytorch: 'PyTorch', keras: 'Keras', json: 'JSON' }}
            onChange={(chosen) => {
              setLanguage(chosen);
              setCopied(undefined);
            }}
          />
          <Button icon="copy" obstacle={obstacle} onPress={() => void copy()}>
            {texts.code.copy}
          </Button>
          <Button
            icon="download"
            obstacle={obstacle}
            onPress={() =>
              download(file, language === 'json' ? 'application/json' : 'text/x-python', text ?? '')
            }
          >
            {texts.code.download}
          </Button>
          <span role="status" className={`faint ${styles.copied}`}>
            {copied}
          </span>
        </div>
      }
    >
      {answer && !answer.ok && <FailureNotice kind="warning" title={texts.code.none} error={answer.error} />}
      {text !== undefined && (
        <Code text={text} language="Python" label={texts.code.as(model.title, language)} />
      )}
    </Panel>
  );
}
