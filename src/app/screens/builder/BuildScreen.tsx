import { lazy, Suspense, useEffect, useEffectEvent, useRef, type ComponentProps } from 'react';
import { TAKES_TEXT } from '../../actions/hotkeys.ts';
import { Button } from '../../widgets/Button.tsx';
import { dropTarget } from '../../widgets/drop-target.ts';
import { FailureNotice, NoticeStack } from '../../widgets/Notice.tsx';
import { ScreenHead } from '../../components/ScreenHead.tsx';
import { useView } from '../../route.ts';
import { build as texts } from '../../messages/en/build.tsx';
import { VERBS } from '../verbs.ts';
import {
  currentRows,
  duplicateSelected,
  focusRow,
  loadBuild,
  move,
  moved,
  openFiles,
  redoEdit,
  removeSelected,
  startFrom,
  undoEdit,
  useBuild,
} from './build-store.ts';
import styles from './Build.module.css';
import { CodeView } from './CodeView.tsx';
import { Inspector } from './Inspector.tsx';
import { historyKey } from './keys.ts';
import { ErrorNote, LayerList } from './LayerList.tsx';
import { Exchange } from './Exchange.tsx';
import { ModelHead } from './ModelHead.tsx';
import { Palette } from './Palette.tsx';
import { UseInTrain, bringToTrain, UseNote } from './UseInTrain.tsx';
import { useKnown, useModel } from './use-known.ts';

/** Loaded when first shown: graphs need a library. */
const GraphView = lazy(() => import('./GraphView.tsx'));

const VIEWS = [{ name: 'layers' }, { name: 'graph' }, { name: 'code' }] as const;

/** Builds and edits a model. */
export function BuildScreen() {
  useEffect(() => void loadBuild(), []);
  useKeptFocus();
  const view = useView('build', VIEWS);
  const search = useRef<HTMLInputElement>(null);
  const inspector = useRef<HTMLDivElement>(null);
  const said = useBuild((state) => state.said);
  const toPalette = () => search.current?.focus();
  const toSettings = () =>
    inspector.current?.querySelector<HTMLElement>('input, select, .stack button')?.focus();
  useScreenKeys(toPalette);
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys and dropped files for all that it contains
    <div
      onKeyDown={(event) => {
        if (historyKey(event)) event.preventDefault();
      }}
      {...dropTarget(openFiles)}
    >
      <ScreenHead
        title={texts.title}
        label={texts.label}
        screen="build"
        views={VIEWS.map(({ name }) => ({ name, title: texts.views[name].title }))}
        current={view.name}
        explanation={texts.views[view.name].explanation}
      >
        <History />
        <Exchange />
        <UseInTrain />
      </ScreenHead>
      <UseNote />
      <InvalidFile />
      <div className={styles.screen} data-view={view.name}>
        <div className={styles.palette}>
          <Palette search={search} />
        </div>
        <div className={styles.main}>
          <ModelHead />
          {view.name === 'layers' && <Layers toPalette={toPalette} toSettings={toSettings} />}
          {view.name === 'graph' && <Graph />}
          {view.name === 'code' && <CodeView />}
        </div>
        <div className={styles.inspector}>
          <Inspector panel={inspector} />
        </div>
      </div>
      <p className="unseen" role="status" aria-label={texts.edits.status}>
        {said}
      </p>
    </div>
  );
}

/** Why the file that was opened is not a model. */
function InvalidFile() {
  const error = useBuild((state) => state.fileError);
  return (
    <NoticeStack>
      {error && (
        <FailureNotice
          title={texts.invalidFile}
          error={error}
          onDismiss={() => useBuild.setState({ fileError: undefined })}
        />
      )}
    </NoticeStack>
  );
}

const Layers = (focus: ComponentProps<typeof LayerList>) => (
  <section className={styles.card} aria-label={texts.views.layers.title}>
    <Edits toPalette={focus.toPalette} />
    <LayerList {...focus} />
    <Empty />
    <p className={`fine ${styles.keys}`}>{texts.edits.keys}</p>
  </section>
);

/** The graph, and below it the errors whose layers it marks, with their fixes. */
function Graph() {
  const { errors } = useKnown();
  return (
    <Suspense fallback={<p className={`faint ${styles.loading}`}>{texts.loadingGraph}</p>}>
      <GraphView />
      {errors.map((error) => (
        <ErrorNote key={`${error.name} ${error.message}`} error={error} named />
      ))}
    </Suspense>
  );
}

/** Keys that work wherever the focus is, except in text: A adds a layer, Ctrl Enter uses the model in Train. */
function useScreenKeys(toPalette: () => void): void {
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void bringToTrain();
    } else if (event.key.toLowerCase() === 'a' && !event.ctrlKey && !event.metaKey) {
      if (event.target instanceof Element && event.target.closest(`${TAKES_TEXT}, dialog`)) return;
      event.preventDefault();
      toPalette();
    }
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => pressed(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
}

/** Whoever comes by keyboard lands in the list, and stays on the screen when an edit removes what had the focus. */
function useKeptFocus(): void {
  useEffect(() => {
    let frame = 0;
    // After a dialog that led here has given the focus back, and after the edit is shown.
    const check = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        if (document.activeElement === document.body) focusRow();
      });
    };
    check();
    const ignore = useBuild.subscribe((state, before) => state.history !== before.history && check());
    return () => {
      cancelAnimationFrame(frame);
      ignore();
    };
  }, []);
}

function History() {
  const nothingPast = useBuild(({ history }) => history.past.length === 0);
  const nothingUndone = useBuild(({ history }) => history.future.length === 0);
  return (
    <div className={styles.history} role="group" aria-label={texts.edits.history}>
      <Button
        verb={VERBS.undo}
        shortcut="Control+Z"
        obstacle={nothingPast ? texts.edits.nothingToUndo : undefined}
        onPress={undoEdit}
      />
      <Button
        verb={VERBS.redo}
        shortcut="Control+Shift+Z"
        obstacle={nothingUndone ? texts.edits.nothingToRedo : undefined}
        onPress={redoEdit}
      />
    </div>
  );
}

/** Edits of the selected row. */
function Edits({ toPalette }: { toPalette(): void }) {
  // `moved` and `currentRows` depend on these.
  useBuild((state) => state.selected);
  useBuild((state) => state.open);
  useModel();
  const { row } = currentRows();
  const none = row.kind === 'image' ? texts.edits.selectFirst : undefined;
  const obstacleTo = (way: 'up' | 'down') => {
    const next = moved(way);
    return 'obstacle' in next ? next.obstacle : undefined;
  };
  const act = (work: () => void) => () => {
    work();
    focusRow();
  };
  return (
    <div className={styles.edits} role="toolbar" aria-label={texts.edits.label}>
      <Button icon="plus" title={texts.edits.addTitle} onPress={toPalette}>
        {texts.edits.add}
      </Button>
      {(['up', 'down'] as const).map((way) => (
        <Button
          key={way}
          icon={way}
          title={texts.edits[`${way}Title`]}
          obstacle={obstacleTo(way)}
          onPress={act(() => move(way))}
        >
          {texts.edits[way]}
        </Button>
      ))}
      <Button icon="copy" title={texts.edits.duplicateTitle} obstacle={none} onPress={act(duplicateSelected)}>
        {texts.edits.duplicate}
      </Button>
      <Button icon="trash" title={texts.edits.deleteTitle} obstacle={none} onPress={act(removeSelected)}>
        {texts.edits.delete}
      </Button>
    </div>
  );
}

/** Small models that train quickly on any GPU. */
const FIRST_MODELS = ['softmax_regression', 'lenet5', 'resnet8'];

/** Presets to start from, while there are no layers. */
function Empty() {
  const empty = useModel().layers.length === 0;
  const presets = useBuild((state) => state.catalogue?.presets) ?? [];
  return (
    empty && (
      <div className={styles.empty}>
        <p>{texts.edits.empty}</p>
        <div className="row">
          {presets
            .filter(({ name }) => FIRST_MODELS.includes(name))
            .toSorted((a, b) => a.layers.length - b.layers.length)
            .map((preset) => (
              <Button
                key={preset.name}
                title={preset.description}
                onPress={() => {
                  startFrom(preset);
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
