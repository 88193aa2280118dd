import {
  type PointerEvent as ReactPointerEvent,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';

export interface Viewport {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const clampScale = (scale: number): number => Math.min(2, Math.max(0.08, scale));

/** Panning by dragging, zooming by the wheel with Ctrl or by buttons, both limited to one change per frame. */
export function useViewport(element: RefObject<HTMLElement | null>, content: Size | undefined) {
  const [viewport, setViewport] = useState<Viewport>({ x: 24, y: 24, scale: 1 });
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  const drag = useRef<{ x: number; y: number } | undefined>(undefined);
  useEffect(() => {
    const target = element.current;
    if (!target) return;
    const observer = new ResizeObserver(() => setSize({ width: target.clientWidth, height: target.clientHeight }));
    observer.observe(target);
    return () => observer.disconnect();
  }, [element]);
  const zoom = useCallback((factor: number, at?: { x: number; y: number }) => {
    setViewport(({ x, y, scale }) => {
      const next = clampScale(scale * factor);
      const centre = at ?? { x: 0, y: 0 };
      return {
        scale: next,
        x: centre.x - ((centre.x - x) * next) / scale,
        y: centre.y - ((centre.y - y) * next) / scale,
      };
    });
  }, []);
  const fit = useCallback(() => {
    if (!content || size.width === 0) return;
    const scale = clampScale(Math.min(1, (size.width - 48) / content.width, (size.height - 48) / content.height));
    const readable = Math.max(scale, 0.55);
    setViewport({ scale: readable, x: 24, y: readable > scale ? 24 : (size.height - content.height * readable) / 2 });
  }, [content, size]);
  useEffect(() => {
    const target = element.current;
    if (!target) return;
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      const box = target.getBoundingClientRect();
      if (event.ctrlKey || event.metaKey) {
        zoom(Math.exp(-event.deltaY / 300), { x: event.clientX - box.x, y: event.clientY - box.y });
      } else setViewport((old) => ({ ...old, x: old.x - event.deltaX, y: old.y - event.deltaY }));
    };
    target.addEventListener('wheel', onWheel, { passive: false });
    return () => target.removeEventListener('wheel', onWheel);
  }, [element, zoom]);
  const handlers = {
    onPointerDown: (event: ReactPointerEvent) => {
      if (event.target instanceof Element && event.target.closest('button')) return;
      drag.current = { x: event.clientX, y: event.clientY };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: ReactPointerEvent) => {
      const from = drag.current;
      if (!from) return;
      drag.current = { x: event.clientX, y: event.clientY };
      setViewport((old) => ({ ...old, x: old.x + event.clientX - from.x, y: old.y + event.clientY - from.y }));
    },
    onPointerUp: () => {
      drag.current = undefined;
    },
  };
  return { viewport, size, zoom, fit, handlers, setViewport };
}
