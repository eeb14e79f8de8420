import { lazy, Suspense, useEffect, useRef, useState, type DragEvent } from 'react';
import type { FailureValue } from '../../../base/result.ts';
import { obstacleToDevice } from '../../actions/start.ts';
import { Button } from '../../components/Button.tsx';
import { Notice } from '../../components/Notice.tsx';
import { ScreenHead } from '../../components/ScreenHead.tsx';
import { go, hrefOf, useRoute } from '../../route.ts';
import { OWN_MODEL } from '../../state/own-model.ts';
import { runIsOpen } from '../../state/run.ts';
import { useApp } from '../../state/store.ts';
import {
  beginWith,
  currentRows,
  duplicateSelected,
  focusRow,
  loadBuild,
  move,
  moved,
  redoEdit,
  removeSelected,
  undoEdit,
  useBuild,
} from './build-store.ts';
import styles from './BuildScreen.module.css';
import { CodeView } from './CodeView.tsx';
import { Inspector } from './Inspector.tsx';
import { historyKey } from './keys.ts';
import { LayerList } from './LayerList.tsx';
import { ModelHead, openModel } from './ModelHead.tsx';
import { MistakeNote } from './MistakeNote.tsx';
import { Palette } from './Palette.tsx';
import { datasetFor, useKnown, useModel } from './use-known.ts';

/** Loaded when it is first looked at: drawing graphs takes a library. */
const GraphView = lazy(() => import('./graph/GraphView.tsx'));

const VIEWS = [
  {
    name: 'blocks',
    title: 'Blocks',
    explanation:
      'The network as a list, from the image to the answer. Every edit works by mouse and by keyboard.',
  },
  {
    name: 'graph',
    title: 'Graph',
    explanation:
      'The same network with lines for what each layer takes. Draw a line to make one, select it and press Delete to take it away.',
  },
  { name: 'code', title: 'Code', explanation: 'The same network as a program or a file, to take elsewhere.' },
] as const;

/** Where a model is put together. */
export function BuildScreen() {
  useEffect(() => void loadBuild(), []);
  const { view: wanted } = useRoute();
  const view = VIEWS.find(({ name }) => name === wanted) ?? VIEWS[0];
  const search = useRef<HTMLInputElement>(null);
  const inspector = useRef<HTMLDivElement>(null);
  const [error, setError] = useState<FailureValue>();
  const said = useBuild((state) => state.said);
  const toSettings = () => inspector.current?.querySelector<HTMLElement>('input, select, button')?.focus();
  const dropped = (event: DragEvent) => {
    const [file] = event.dataTransfer.files;
    if (!file) return;
    event.preventDefault();
    void openModel(file, setError);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys and files for whatever is in it
    <div
      onKeyDown={(event) => {
        if (historyKey(event)) event.preventDefault();
      }}
      onDragOver={(event) => {
        if (event.dataTransfer.types.includes('Files')) event.preventDefault();
      }}
      onDrop={dropped}
    >
      <ScreenHead
        title="Build"
        label="Views of the model"
        views={VIEWS.map(({ name, title }) => ({ name, title, href: hrefOf('build', name) }))}
        current={view.name}
        explanation={view.explanation}
      >
        <History />
        <TrainThis />
      </ScreenHead>
      {error && (
        <div className={styles.refused}>
          <Notice
            kind="error"
            title="This file is no model"
            actions={
              <Button kind="quiet" onPress={() => setError(undefined)}>
                Leave it
              </Button>
            }
          >
            <p>{error.message}</p>
            {error.advice && <p>{error.advice}</p>}
          </Notice>
        </div>
      )}
      <div className={styles.screen}>
        <div className={styles.palette}>
          <Palette search={search} />
        </div>
        <div className={styles.main}>
          <ModelHead />
          {view.name === 'blocks' && (
            <section className={styles.card} aria-label="Layers">
              <Edits toPalette={() => search.current?.focus()} />
              <LayerList toPalette={() => search.current?.focus()} toSettings={toSettings} />
              <Empty />
              <Keys />
            </section>
          )}
          {view.name === 'graph' && (
            <Suspense fallback={<p className={styles.loading}>Loading the graph…</p>}>
              <GraphView />
              <GraphMistakes />
            </Suspense>
          )}
          {view.name === 'code' && <CodeView />}
        </div>
        <div className={styles.inspector}>
          <Inspector panel={inspector} />
        </div>
      </div>
      <p className="unseen" role="status" aria-label="Edits">
        {said}
      </p>
    </div>
  );
}

function History() {
  const nothingPast = useBuild(({ history }) => history.past.length === 0);
  const nothingUndone = useBuild(({ history }) => history.future.length === 0);
  return (
    <div className={styles.history} role="group" aria-label="History">
      <Button
        icon="undo"
        shortcut="Control+Z"
        title="Undo (Ctrl Z)"
        obstacle={nothingPast ? 'Nothing was changed yet.' : undefined}
        onPress={undoEdit}
      >
        Undo
      </Button>
      <Button
        icon="redo"
        shortcut="Control+Shift+Z"
        title="Redo (Ctrl Shift Z)"
        obstacle={nothingUndone ? 'Nothing was undone.' : undefined}
        onPress={redoEdit}
      >
        Redo
      </Button>
    </div>
  );
}

/** Takes the model to the Train screen. */
function TrainThis() {
  const mistakes = useKnown().mistakes.length;
  const locked = useApp((state) => runIsOpen(state.runState));
  const device = useApp(obstacleToDevice);
  const change = useApp((state) => state.change);
  const model = useModel();
  const obstacle = mistakes
    ? 'The model has a mistake, or is not finished.'
    : locked
      ? 'A run is open, and keeps its model. Stop it first.'
      : device;
  const train = () => {
    const state = useApp.getState();
    state.setOwnModel(model);
    const dataset = datasetFor(state, model);
    change({ model: OWN_MODEL, ...(dataset ? { dataset: dataset.name } : {}) });
    go(hrefOf('train'));
  };
  return (
    <Button icon="play" kind="primary" obstacle={obstacle} onPress={train}>
      Train this
    </Button>
  );
}

/** What can be done with the selected row. */
function Edits({ toPalette }: { toPalette(): void }) {
  // All that `moved` and `currentRows` look at.
  useBuild((state) => state.selected);
  useBuild((state) => state.open);
  useModel();
  const { row } = currentRows();
  const none = row.kind === 'image' ? 'Select a layer first.' : undefined;
  const obstacleTo = (way: 'up' | 'down') => {
    const next = moved(way);
    return 'obstacle' in next ? next.obstacle : undefined;
  };
  const act = (work: () => void) => () => {
    work();
    focusRow();
  };
  return (
    <div className={styles.edits} role="toolbar" aria-label="Edit the selected layer">
      <Button icon="plus" title="Add a layer (A)" onPress={toPalette}>
        Add
      </Button>
      <Button icon="up" title="Move up (Alt ↑)" obstacle={obstacleTo('up')} onPress={act(() => move('up'))}>
        Up
      </Button>
      <Button
        icon="down"
        title="Move down (Alt ↓)"
        obstacle={obstacleTo('down')}
        onPress={act(() => move('down'))}
      >
        Down
      </Button>
      <Button icon="copy" title="Duplicate (Ctrl D)" obstacle={none} onPress={act(duplicateSelected)}>
        Duplicate
      </Button>
      <Button icon="trash" title="Delete (Del)" obstacle={none} onPress={act(removeSelected)}>
        Delete
      </Button>
    </div>
  );
}

/** Small ones that train quickly everywhere. */
const FIRST_STEPS = ['softmax_regression', 'lenet5', 'resnet8'];

/** What to do first. */
function Empty() {
  const empty = useModel().layers.length === 0;
  const presets = useBuild((state) => state.catalogue?.presets) ?? [];
  return (
    empty && (
      <div className={styles.empty}>
        <p>
          Nothing is between the image and the answer yet. Add a layer, or begin with a network that people
          know.
        </p>
        <div>
          {presets
            .filter(({ name }) => FIRST_STEPS.includes(name))
            .toSorted((a, b) => a.layers.length - b.layers.length)
            .map((preset) => (
              <Button
                key={preset.name}
                title={preset.description}
                onPress={() => {
                  beginWith(preset);
                  focusRow();
                }}
              >
                {preset.title}
              </Button>
            ))}
        </div>
      </div>
    )
  );
}

const Keys = () => (
  <p className={styles.keys}>
    <kbd>A</kbd> adds, <kbd>Enter</kbd> sets, <kbd>Alt ↑</kbd> <kbd>Alt ↓</kbd> move, <kbd>Ctrl D</kbd>{' '}
    duplicates, <kbd>Del</kbd> deletes, <kbd>←</kbd> <kbd>→</kbd> close and open blocks, <kbd>Ctrl Z</kbd>{' '}
    undoes.
  </p>
);

/** Mistakes in words, with their mends, under the graph that shows their place. */
function GraphMistakes() {
  const { mistakes } = useKnown();
  return mistakes.map((mistake) => (
    <MistakeNote key={`${mistake.name} ${mistake.message}`} mistake={mistake} named />
  ));
}
