import { create } from 'zustand';

/** What a phone shows one of at a time; larger windows show all of them. */
export const PARTS = { try: 'Try', curves: 'Curves', mistakes: 'Mistakes', settings: 'Settings' };
export type TrainPart = keyof typeof PARTS;

/** The part of Train that a phone shows. */
export const useTrainPart = create<{ part: TrainPart }>()(() => ({ part: 'try' }));

export const showPart = (part: TrainPart): void => useTrainPart.setState({ part });
