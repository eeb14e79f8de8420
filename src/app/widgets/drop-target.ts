import type { DragEvent } from 'react';

/** The attributes of a place that takes dropped files; whatever else is dragged over it is left to others. */
export const dropTarget = (take: (files: readonly File[]) => unknown) => ({
  onDragOver(event: DragEvent) {
    if (event.dataTransfer.types.includes('Files')) event.preventDefault();
  },
  onDrop(event: DragEvent) {
    const files = [...event.dataTransfer.files];
    if (files.length === 0) return;
    event.preventDefault();
    void take(files);
  },
});
