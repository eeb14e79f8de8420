type Points = readonly (readonly [x: number, y: number])[];

export function trend(points: Points): { slope: number; error: number };
export function growth(name: string, points: Points): { text: string; grew: boolean };
