import { create } from 'zustand';

import type { train } from '../../messages/en/train.tsx';

/** What a phone shows one of at a time; larger windows show all of them. */
export type TrainPart = keyof typeof train.parts.names;

/** The part of Train that a phone shows. */
export const useTrainPart = create<{ part: TrainPart }>()(() => ({ part: 'try' }));

export const showPart = (part: TrainPart): void => useTrainPart.setState({ part });
