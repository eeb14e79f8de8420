import * as format from '../../format.ts';
import { useApp } from '../../state/store.ts';
import { configToStudy, modelTitle } from '../../study.ts';
import styles from './Profile.module.css';

/** What would be measured or examined: the model and the settings that matter. */
export function Subject({ data = false }: { data?: boolean }) {
  const words = useApp((state) => {
    const config = configToStudy(state);
    if (!config) return '';
    const { batchSize, optimizer, dataset } = config;
    const title = state.datasets.find(({ name }) => name === dataset)?.title ?? dataset;
    const name = state.optimizers.find((one) => one.name === optimizer.name)?.title ?? optimizer.name;
    const rate = `learning rate ${optimizer.lr}`;
    const parts = [
      modelTitle(state, config),
      ...(data ? [title] : []),
      `batches of ${format.count(batchSize)}`,
      name,
    ];
    return [...parts, ...(data ? [rate] : [])].join(' · ');
  });
  return <span className={styles.subject}>{words}</span>;
}
