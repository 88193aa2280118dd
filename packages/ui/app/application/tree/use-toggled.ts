import { useCallback, useState } from 'react';

/** Ids that were toggled, and what toggles one. */
export function useToggled(): readonly [ReadonlySet<string>, (id: string) => void] {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback((id: string): void => {
    setToggled((old) => {
      const next = new Set(old);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  return [toggled, toggle];
}
