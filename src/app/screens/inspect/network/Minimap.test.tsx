import { fireEvent, render } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Minimap } from './Minimap.tsx';

afterEach(() => vi.restoreAllMocks());

/** Ten columns of 100 pixels. @param across pixels in view */
function show(across: number) {
  const left = (element: Element) => {
    const unit = element.getAttribute('data-unit');
    return unit === null ? 0 : 100 * Number(unit) - (element.closest('section')?.scrollLeft ?? 0);
  };
  vi.spyOn(HTMLElement.prototype, 'scrollWidth', 'get').mockReturnValue(1000);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(across);
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
    return { left: left(this), width: this.hasAttribute('data-unit') ? 90 : 500 } as DOMRect;
  });
  const { container } = render(
    <div>
      <Minimap chosen="3" />
      <section>
        <div>
          {Array.from({ length: 10 }, (_, i) => (
            <p key={i} data-unit={i} />
          ))}
        </div>
      </section>
    </div>,
  );
  const [strip, layers] = container.firstElementChild!.children as unknown as HTMLElement[];
  return { strip, layers };
}

test('a wide network has a strip of its columns, with the part in view, which a press moves', () => {
  const { strip, layers } = show(250);
  expect(strip.hidden).toBe(false);
  const columns = strip.querySelectorAll('i');
  expect(columns).toHaveLength(10);
  expect(columns[3].style).toMatchObject({ left: '30%', width: '9%' });
  expect([...columns].map((one) => one.hasAttribute('data-chosen')).indexOf(true)).toBe(3);
  const view = strip.querySelector('span')!;
  expect(view.style).toMatchObject({ left: '0%', width: '25%' });

  strip.setPointerCapture = () => undefined;
  fireEvent.pointerDown(strip, { clientX: 400, pointerId: 1 });
  // 800 of 1,000 pixels, in the middle of what is in view.
  expect(layers.scrollLeft).toBe(675);
  fireEvent.scroll(layers);
  expect(view.style.left).toBe('67.5%');
  expect(columns[3].style.left).toBe('30%');
});

test('one that fits has none', () => {
  expect(show(1000).strip.hidden).toBe(true);
});
