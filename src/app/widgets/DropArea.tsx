import { useState, type ReactNode } from 'react';
import styles from './DropArea.module.css';

/** A place to drop files on. @param onDrop must read what it gets at once */
export function DropArea({ onDrop, children }: { onDrop(dropped: DataTransfer): void; children: ReactNode }) {
  const [over, setOver] = useState(false);
  return (
    <div
      className={`soft ${styles.drop}`}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onDrop(event.dataTransfer);
      }}
    >
      {children}
    </div>
  );
}
