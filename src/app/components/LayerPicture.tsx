import type { Shape } from '../../base/shape.ts';

const SIZE = 30;
const MAX_SHEETS = 5;

/** A layer's output at a glance: a stack of square maps for [C, H, W], a bar for a vector. Taller is larger. */
export function LayerPicture({ shape }: { shape: Shape }) {
  const sheets = shape.length === 3 ? Math.min(MAX_SHEETS, Math.ceil(Math.sqrt(shape[0]))) : 1;
  const height =
    shape.length === 3 ? Math.min(18, 6 + shape[1] * 0.43) : Math.min(24, 4 + 3 * Math.log2(shape[0]));
  const width = shape.length === 3 ? height : 4;
  const spread = (sheets - 1) * 2;
  const left = (SIZE - width - spread) / 2;
  const top = (SIZE - height + spread) / 2;
  return (
    <svg viewBox={`0 0 ${SIZE} ${SIZE}`} width={SIZE} height={SIZE} aria-hidden="true">
      {Array.from({ length: sheets }, (_, i) => (
        <rect
          key={i}
          x={left + (sheets - 1 - i) * 2}
          y={top - (sheets - 1 - i) * 2}
          width={width}
          height={height}
          rx="1.5"
          fill="var(--accent-soft)"
          stroke="var(--accent)"
          strokeWidth="1"
        />
      ))}
    </svg>
  );
}
