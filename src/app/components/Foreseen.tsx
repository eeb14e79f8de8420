import type { ReactNode } from 'react';

/** Pictures of what a place will show, 240 units wide and 84 high, drawn as lines (`stroke`) and as areas (`fill`). */
const SKETCHES = {
  timeline: (
    <g fill="currentColor">
      {[
        [0, 52, 0],
        [54, 30, 0],
        [86, 74, 0],
        [162, 22, 0],
        [186, 54, 0],
        [54, 18, 1],
        [74, 60, 1],
        [136, 26, 1],
        [164, 12, 2],
        [178, 48, 2],
        [228, 12, 2],
      ].map(([x, width, row]) => (
        <rect
          key={`${x} ${row}`}
          x={x}
          y={8 + 26 * row}
          width={width}
          height={18}
          rx={3}
          opacity={1 - 0.25 * row}
        />
      ))}
    </g>
  ),
  bars: (
    <g fill="currentColor">
      {[210, 150, 184, 66, 118].map((width, i) => (
        <rect key={width} y={4 + 16 * i} width={width} height={10} rx={3} opacity={i % 2 === 0 ? 1 : 0.55} />
      ))}
    </g>
  ),
  curves: (
    <g fill="none" stroke="currentColor" strokeWidth={2.5} strokeLinecap="round">
      <path d="M4 8C24 60 60 70 236 76" />
      <path d="M4 12C50 22 70 54 236 60" opacity={0.6} />
      <path d="M4 6C14 50 40 66 236 68" opacity={0.35} />
    </g>
  ),
  matrix: (
    <g fill="currentColor">
      {Array.from({ length: 49 }, (_, i) => {
        const [row, column] = [Math.floor(i / 7), i % 7];
        const share = row === column ? 0.9 : (row * 5 + column * 3) % 7 === 0 ? 0.4 : 0.14;
        return (
          <rect key={i} x={78 + 12 * column} y={12 * row} width={11} height={11} rx={1.5} opacity={share} />
        );
      })}
    </g>
  ),
  ridges: (
    <g fill="none" stroke="currentColor" strokeWidth={2}>
      {[0, 1, 2, 3].map((i) => (
        <path
          key={i}
          d={`M20 ${30 + 16 * i}H${78 - 6 * i}C${104 - 4 * i} ${30 + 16 * i} ${106 - i} ${6 + 17 * i} 120 ${6 + 17 * i}S${136 + 4 * i} ${30 + 16 * i} ${162 + 6 * i} ${30 + 16 * i}H220`}
          opacity={0.4 + 0.2 * i}
        />
      ))}
    </g>
  ),
  points: (
    <g fill="currentColor">
      {Array.from({ length: 60 }, (_, i) => {
        const cluster = i % 5;
        const angle = i * 2.4;
        const away = 14 * Math.sqrt(Math.abs((Math.sin(i * 12.9898) * 43_758.5453) % 1));
        const [x, y] = [36 + 42 * cluster, cluster % 2 === 0 ? 28 : 56];
        return (
          <circle
            key={i}
            cx={x + 1.5 * away * Math.cos(angle)}
            cy={y + away * Math.sin(angle)}
            r={2.2}
            opacity={0.35 + 0.15 * cluster}
          />
        );
      })}
    </g>
  ),
  images: (
    <g fill="none" stroke="currentColor" strokeWidth={2} strokeLinecap="round">
      {Array.from({ length: 12 }, (_, i) => {
        const [x, y] = [2 + 40 * (i % 6), 2 + 42 * Math.floor(i / 6)];
        return (
          <g key={i} opacity={0.5 + 0.1 * (i % 4)}>
            <rect x={x} y={y} width={34} height={36} rx={4} opacity={0.5} />
            <path d={`M${x + 11} ${y + 10}q${4 + 2 * (i % 5)} ${-6 + 3 * (i % 3)} 12 ${8 - (i % 4)}t-8 11`} />
          </g>
        );
      })}
    </g>
  ),
} as const;

interface ForeseenProps {
  of: keyof typeof SKETCHES;
  /** What leads there: a sentence, and one button. */
  children: ReactNode;
}

/** In place of what is not there yet: a quiet picture of what it will look like, and what leads to it. */
export const Foreseen = ({ of, children }: ForeseenProps) => (
  <div className="vacant">
    <svg viewBox="0 0 240 84" width="240" height="84" className="foreseen" aria-hidden="true">
      {SKETCHES[of]}
    </svg>
    {children}
  </div>
);
