import { useEffect, useState } from 'react';
import { Choice } from '../../../components/Choice.tsx';
import { Code } from '../../../components/code/Code.tsx';
import { Panel } from '../../../components/Panel.tsx';

/** The contenders' files as they are written. */
const sources = import.meta.glob<string>('/src/peers/contenders/*.ts', { query: '?raw', import: 'default' });

const TITLES = {
  wgrad: 'wgrad',
  tfjs: 'TensorFlow.js',
  onnxruntime: 'ONNX Runtime Web',
  jax: 'jax-js',
} as const;

type Name = keyof typeof TITLES;

/** The sources of the contenders: what is shown is what runs. */
export function View() {
  const [name, choose] = useState<Name>('wgrad');
  const [text, setText] = useState<string>();
  useEffect(() => {
    let wanted = true;
    void sources[`/src/peers/contenders/${name}.ts`]().then((source) => wanted && setText(source));
    return () => void (wanted = false);
  }, [name]);
  return (
    <Panel
      title="The sources"
      explanation="Each contender as it runs here: the same network, from the same weights."
    >
      <details>
        <summary className="soft">Read and compare</summary>
        <div className="stack">
          <Choice label="Source of" value={name} options={TITLES} onChange={choose} />
          {text !== undefined && <Code text={text} language="TypeScript" label={`${TITLES[name]}: source`} />}
        </div>
      </details>
    </Panel>
  );
}
