import { useRef } from 'react';
import { Button, type ButtonProps } from './Button.tsx';

interface FileButtonProps extends Omit<ButtonProps, 'onPress'> {
  /** What is chosen, for screen readers: "Image file". */
  label: string;
  accept?: string;
  multiple?: boolean;
  /** A folder with all that is in it is chosen. */
  folder?: boolean;
  onFiles(files: File[]): void;
}

/** A button to choose files with; the same ones can be chosen again. */
export function FileButton({ label, accept, multiple, folder, onFiles, ...button }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={accept}
        multiple={multiple}
        // Not in React's types: https://developer.mozilla.org/docs/Web/API/HTMLInputElement/webkitdirectory
        {...(folder && { webkitdirectory: '' })}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          target.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
      <Button {...button} onPress={() => input.current?.click()} />
    </>
  );
}
