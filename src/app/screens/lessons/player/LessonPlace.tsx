import { later } from '../../../components/later.tsx';
import { useCurrentLesson } from './current.ts';

const LessonPanel = later('The lesson', async () => (await import('./LessonPanel.tsx')).LessonPanel);

/** The lesson that is under way, beside the work. */
export function LessonPlace() {
  const address = useCurrentLesson((state) => state.address);
  return address !== undefined && <LessonPanel key={address} address={address} />;
}
