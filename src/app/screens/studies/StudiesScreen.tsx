import { useEffect } from 'react';
import { ScreenHead } from '../../components/ScreenHead.tsx';
import { useRoute } from '../../route.ts';
import { loadStudies, runningStudy, useStudies } from './studies-store.ts';
import { StudyList } from './StudyList.tsx';
import { StudyView } from './StudyView.tsx';

/** Published comparisons, measured again on this machine. */
export function StudiesScreen() {
  useEffect(() => void loadStudies(), []);
  const list = useStudies((state) => state.list) ?? [];
  const { view } = useRoute();
  const study = list.find(({ name }) => name === view);
  const views = [{ name: '', title: 'All' }, ...list.map(({ name, short }) => ({ name, title: short }))];
  return (
    <>
      <ScreenHead
        title="Studies"
        label="Studies"
        screen="studies"
        views={views}
        current={study?.name ?? ''}
        explanation="The published comparisons that wgrad grew from, measured again on your machine and set next to their authors’ results."
      />
      {study ? <StudyView key={study.name} study={study} /> : <StudyList list={list} />}
      <Announcement />
    </>
  );
}

/** For screen readers: that a measurement starts and ends. */
function Announcement() {
  const running = useStudies(runningStudy);
  return (
    <p className="unseen" role="status" aria-label="Studies">
      {running === undefined ? '' : 'A study is being measured.'}
    </p>
  );
}
