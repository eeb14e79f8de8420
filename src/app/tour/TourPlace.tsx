import { useEffect, useState } from 'react';
import { later } from '../components/later.tsx';
import { hrefOf, note, useRoute } from '../route.ts';
import { useApp } from '../state/store.ts';

const Tour = later('The tour', async () => (await import('./Tour.tsx')).Tour);

/** The tour that the address asks for, as in `#/train?tour=digits`. It leads to other screens, so it outlives the address. */
export function TourPlace() {
  const { screen, view, parameters } = useRoute();
  const { tour: asked, ...others } = parameters;
  const [known, setKnown] = useState(asked);
  const [{ name, time }, open] = useState<{ name: string | undefined; time: number }>({
    name: asked,
    time: 0,
  });
  if (asked !== known) {
    setKnown(asked);
    // Asked for again, it starts from the beginning.
    if (asked !== undefined) open({ name: asked, time: time + 1 });
  }
  const address = hrefOf(screen, view, others);
  useEffect(() => {
    if (asked !== undefined) note(address);
  }, [asked, address]);
  const end = () => {
    useApp.getState().dismissIntroduction();
    open({ name: undefined, time });
  };
  return name !== undefined && <Tour key={time} name={name} onEnd={end} />;
}
