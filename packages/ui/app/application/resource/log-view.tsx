import { useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import type { ApplicationDetail } from '../../api/read-application.ts';
import { Check } from '../../design/check.tsx';
import { Problem } from '../../design/problem.tsx';
import { t } from '../../messages/index.ts';
import type { TreeItem } from '../tree/tree-model.ts';
import { plainText } from './ansi.ts';
import { ContainerSelect } from './container-select.tsx';
import { containersOf } from './containers.ts';
import { followLogs, type LogLine } from './follow-logs.ts';
import { liveObjectQuery } from './queries.ts';

interface LogViewProps {
  readonly app: ApplicationDetail;
  readonly item: TreeItem;
}

/** Older lines are dropped, so that memory stays flat. */
const maxLines = 10_000;

/** The log of a Pod, or of all Pods of a workload, as it grows. */
export default function LogView({ app, item }: LogViewProps) {
  const [lines, setLines] = useState<readonly LogLine[]>([]);
  const [error, setError] = useState<unknown>();
  const [text, setText] = useState('');
  const [previous, setPrevious] = useState(false);
  const [follow, setFollow] = useState(true);
  const [container, setContainer] = useState('');
  const { data: object } = useQuery(liveObjectQuery(app, item));
  const containers = containersOf(object);
  const scroller = useRef<HTMLDivElement>(null);
  const { namespace, name } = app;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the id identifies the item, which every event replaces
  useEffect(() => {
    const stop = new AbortController();
    setLines([]);
    setError(undefined);
    const read = async (): Promise<void> => {
      for await (const more of followLogs({ namespace, name }, item, { container, previous, signal: stop.signal })) {
        setLines((old) => [...old, ...more].slice(-maxLines));
      }
    };
    read().catch((problem: unknown) => stop.signal.aborted || setError(problem));
    return () => stop.abort();
  }, [namespace, name, item.id, container, previous]);
  const wanted = text.toLowerCase();
  const shown = wanted === '' ? lines : lines.filter((line) => line.text.toLowerCase().includes(wanted));
  const rows = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 20,
    overscan: 30,
  });
  useEffect(() => {
    if (follow && shown.length > 0) rows.scrollToIndex(shown.length - 1);
  }, [follow, shown.length, rows]);
  const isMany = item.kind !== 'Pod';
  return (
    <div className="stack log-view">
      <div className="row log-tools">
        <input
          className="input"
          type="search"
          aria-label={t.resource.searchLogs}
          placeholder={t.resource.searchLogs}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {containers.length > 1 && (
          <ContainerSelect containers={containers} value={container || (containers[0] ?? '')} onChange={setContainer} />
        )}
        <Check checked={follow} onChange={setFollow}>
          {t.resource.follow}
        </Check>
        <Check checked={previous} onChange={setPrevious}>
          {t.resource.previous}
        </Check>
      </div>
      {error !== undefined && <Problem error={error} />}
      <div className="log card" ref={scroller} tabIndex={0} role="log" aria-label={t.resource.logs}>
        {shown.length === 0 && <p className="muted log-empty">{t.resource.noLogs}</p>}
        <div className="log-rows" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const line = shown[index];
            return (
              line && (
                <div key={line.id} className="log-line" style={{ transform: `translateY(${start}px)` }}>
                  <span className="muted">{line.time.slice(11, 19)}</span>
                  {isMany && <span className="log-pod truncate">{line.pod}</span>}
                  <span>{plainText(line.text)}</span>
                </div>
              )
            );
          })}
        </div>
      </div>
    </div>
  );
}
