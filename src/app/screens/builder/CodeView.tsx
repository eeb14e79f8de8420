import { useState } from 'react';
import type { CodeLanguage } from '../../../worker/api.ts';
import { ask } from '../../client.ts';
import { Button } from '../../components/Button.tsx';
import { Choice } from '../../components/Choice.tsx';
import { Notice } from '../../components/Notice.tsx';
import { Panel } from '../../components/Panel.tsx';
import { useAnswer } from '../../components/use-answer.ts';
import { download } from '../../download.ts';
import styles from './CodeView.module.css';
import { coloured } from './colours.ts';
import { useModel } from './use-known.ts';

const LANGUAGES = [
  { value: 'pytorch', label: 'PyTorch' },
  { value: 'keras', label: 'Keras' },
  { value: 'json', label: 'JSON' },
] as const;

const EXPLANATIONS: Readonly<Record<CodeLanguage, string>> = {
  pytorch: 'Runs by itself. Its parameters have the names that wgrad’s files of weights have.',
  keras: 'Keras 3, the functional way. It computes the same from the same weights.',
  json: 'The model as a file: open it here again, or train it by “wgrad train --model FILE.json”.',
};

/** The same model as a program or a file, to read, copy and download. */
export function CodeView() {
  const model = useModel();
  const [language, setLanguage] = useState<CodeLanguage>('pytorch');
  const [copied, setCopied] = useState<string>();
  const answer = useAnswer(JSON.stringify([model, language]), () =>
    ask((api) => api.modelCode(model, language)),
  );
  const text = answer?.ok ? answer.value : undefined;
  const obstacle = text === undefined ? 'There is nothing to take yet.' : undefined;
  const file =
    language === 'json' ? `${model.name}.json` : `${model.name.replaceAll('-', '_')}_${language}.py`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text ?? '');
      setCopied('Copied.');
    } catch {
      setCopied('The browser refused: mark the text and copy it.');
    }
  };
  return (
    <Panel
      title="Code"
      explanation={EXPLANATIONS[language]}
      aside={
        <div className={styles.controls}>
          <Choice
            label="Language"
            name="language"
            value={language}
            options={LANGUAGES}
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
          <span role="status" className={styles.said}>
            {copied}
          </span>
        </div>
      }
    >
      {answer && !answer.ok && (
        <Notice kind="warning" title="There is no code yet">
          <p>{answer.error.message}</p>
          {answer.error.advice && <p>{answer.error.advice}</p>}
        </Notice>
      )}
      {text !== undefined && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
        <pre className={styles.code} role="region" aria-label={`${model.title} as ${language}`} tabIndex={0}>
          {coloured(text).map(({ kind, text: word }, i) => (
            // oxlint-disable-next-line react/no-array-index-key -- a word is its place
            <span key={i} className={kind === 'plain' ? undefined : styles[kind]}>
              {word}
            </span>
          ))}
        </pre>
      )}
    </Panel>
  );
}
