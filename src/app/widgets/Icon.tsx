/** Drawn on a 16 x 16 grid with round strokes; filled where a shape is solid. */
const ICONS = {
  play: { fill: 'M4.5 2.9v10.2a.6.6 0 0 0 .9.5l8.3-5.1a.6.6 0 0 0 0-1L5.4 2.4a.6.6 0 0 0-.9.5Z' },
  pause: { fill: 'M4 2.5h2.6v11H4zM9.4 2.5H12v11H9.4z' },
  step: {
    fill: 'M3 3.2v9.6a.6.6 0 0 0 .9.5l6.6-4.8a.6.6 0 0 0 0-1L3.9 2.7a.6.6 0 0 0-.9.5ZM11.4 2.5h2v11h-2z',
  },
  restart: { stroke: 'M2.8 8a5.2 5.2 0 1 0 1.7-3.8L2.8 5.8M2.8 2.4v3.4h3.4' },
  stop: { fill: 'M3.4 4.2c0-.5.3-.8.8-.8h7.6c.5 0 .8.3.8.8v7.6c0 .5-.3.8-.8.8H4.2c-.5 0-.8-.3-.8-.8z' },
  sun: {
    stroke:
      'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6M8 1.4v1M8 13.6v1M1.4 8h1M13.6 8h1M3.3 3.3l.8.8M11.9 11.9l.8.8M3.3 12.7l.8-.8M11.9 4.1l.8-.8',
  },
  moon: { stroke: 'M13.2 9.6A5.6 5.6 0 0 1 6.4 2.8a5.6 5.6 0 1 0 6.8 6.8Z' },
  system: { stroke: 'M2 3.2h12v7.6H2zM5.6 13.6h4.8M8 10.8v2.8' },
  download: { stroke: 'M8 2.2v7.6M4.8 6.8 8 10l3.2-3.2M2.6 13.2h10.8' },
  close: { stroke: 'm4 4 8 8M12 4l-8 8' },
  dice: { stroke: 'M2.6 2.6h10.8v10.8H2.6zM5.8 5.8h.01M10.2 10.2h.01M8 8h.01M10.2 5.8h.01M5.8 10.2h.01' },
  warning: { stroke: 'M8 2.2 14.4 13.4H1.6zM8 6.4v3.2M8 11.4h.01' },
  info: { stroke: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8M8 7.4v3.6M8 5h.01' },
  help: { stroke: 'M5.4 6.2a2.6 2.6 0 1 1 4 2.1c-.9.6-1.4 1-1.4 2M8 13h.01' },
  check: { stroke: 'm3 8.6 3.2 3.2L13 4.8' },
  image: { stroke: 'M2.2 3h11.6v10H2.2zM2.2 11.2l3.4-3.4 2.8 2.8 1.8-1.8 3.6 3.4M10.4 6.2h.01' },
  camera: {
    stroke: 'M2 5.2h2.6l1.2-1.8h4.4l1.2 1.8H14v7.6H2zM8 6.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4',
  },
  lens: { stroke: 'M7 2.2a4.8 4.8 0 1 0 0 9.6 4.8 4.8 0 0 0 0-9.6M10.6 10.6l3.4 3.4' },
  more: { stroke: 'M3 8h.01M8 8h.01M13 8h.01' },
  settings: {
    stroke:
      'M2 4.6h7.4M13 4.6h1M11.2 2.8a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6M2 11.4h1M6.6 11.4H14M4.8 9.6a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6',
  },
  table: { stroke: 'M2.2 3h11.6v10H2.2zM2.2 6.4h11.6M2.2 9.8h11.6M6.6 6.4V13' },
  chevron: { stroke: 'm4 6 4 4 4-4' },
  retry: { stroke: 'M13.2 8a5.2 5.2 0 1 1-1.7-3.8l1.7 1.6M13.2 2.4v3.4H9.8' },
  curve: { stroke: 'M2.2 2.2v11.6h11.6M4.6 4.6c1 4.4 2.4 6.2 4.4 6.2h4.4' },
  flask: { stroke: 'M5.6 2h4.8M6.4 2v4L2.8 12.4c-.4.8.1 1.6 1 1.6h8.4c.9 0 1.4-.8 1-1.6L9.6 6V2M4.6 10h6.8' },
  gauge: { stroke: 'M3.4 12.6a6.2 6.2 0 1 1 9.2 0M8 8.6l2.8-3M8 8.6h.01' },
  pulse: { stroke: 'M1.6 8.4h3l1.8-5 3.2 9.2 1.8-4.2h3' },
  star: { stroke: 'm8 1.9 1.9 3.9 4.3.6-3.1 3 .7 4.3L8 11.7l-3.8 2 .7-4.3-3.1-3 4.3-.6z' },
  list: { stroke: 'M5.6 3.6h8M5.6 8h8M5.6 12.4h8M2.4 3.6h.01M2.4 8h.01M2.4 12.4h.01' },
  fork: { stroke: 'M4 2.4v11.2M4 9.4c0-3 8-1.6 8-5.4M9.8 5.6 12 3.2l2.2 2.4' },
  flag: { stroke: 'M3.4 14.2V2.4h8.8L10.4 5.6l1.8 3.2H3.4' },
  link: {
    stroke:
      'M6.6 9.4a2.8 2.8 0 0 0 4 0l2.2-2.2a2.8 2.8 0 0 0-4-4l-.9.9M9.4 6.6a2.8 2.8 0 0 0-4 0L3.2 8.8a2.8 2.8 0 0 0 4 4l.9-.9',
  },
  code: { stroke: 'M5.4 4.4 1.8 8l3.6 3.6M10.6 4.4 14.2 8l-3.6 3.6' },
  pin: { stroke: 'M5.4 2.2h5.2l-.6 4.4 2 2.2H4l2-2.2zM8 8.8v5' },
  upload: { stroke: 'M8 10.4V2.8M4.8 5.8 8 2.6l3.2 3.2M2.6 13.2h10.8' },
  undo: { stroke: 'M5.6 2.8 2.6 5.8l3 3M2.8 5.8h6.6a3.8 3.8 0 0 1 0 7.6H5.6' },
  redo: { stroke: 'm10.4 2.8 3 3-3 3M13.2 5.8H6.6a3.8 3.8 0 0 0 0 7.6h3.8' },
  up: { stroke: 'M8 13V3.2M3.8 7.2 8 3l4.2 4.2' },
  down: { stroke: 'M8 3v9.8M3.8 8.8 8 13l4.2-4.2' },
  copy: { stroke: 'M5.6 5.6h8v8h-8zM10.4 5.4V2.4h-8v8h3' },
  trash: { stroke: 'M2.8 4.4h10.4M6.2 4.2V2.4h3.6v1.8M4 4.6l.7 9h6.6l.7-9M6.8 7v4M9.2 7v4' },
  plus: { stroke: 'M8 3v10M3 8h10' },
  book: {
    stroke:
      'M8 4.2C6.6 3 4.6 2.8 2.2 3v9.4c2.4-.2 4.4 0 5.8 1.2 1.4-1.2 3.4-1.4 5.8-1.2V3c-2.4-.2-4.4 0-5.8 1.2v9.4',
  },
  clock: { stroke: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8M8 4.6V8l2.4 1.6' },
  blocks: { stroke: 'M2.4 2.4h5v5h-5zM8.8 8.6h5v5h-5zM4.9 7.6v3.5h3.7' },
  gpu: {
    stroke:
      'M4 4h8v8H4zM6.6 6.6h2.8v2.8H6.6zM6 1.8V4M10 1.8V4M6 12v2.2M10 12v2.2M1.8 6H4M1.8 10H4M12 6h2.2M12 10h2.2',
  },
} as const satisfies Record<string, { fill: string } | { stroke: string }>;

export type IconName = keyof typeof ICONS;

/** A picture beside a word, never instead of one: hidden from screen readers. */
export function Icon({ name }: { name: IconName }) {
  const icon = ICONS[name];
  return (
    <svg className="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      {'fill' in icon ? (
        <path d={icon.fill} fill="currentColor" />
      ) : (
        <path
          d={icon.stroke}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.6"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      )}
    </svg>
  );
}
