import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Age } from './age.tsx';
import { Loading } from './loading.tsx';
import { Problem } from './problem.tsx';

interface QueryViewProps<T> {
  readonly query: UseQueryResult<T>;
  readonly children: (data: T) => ReactNode;
}

/** What was read, the error, or a placeholder. Data that is old because reading fails stays, with its age. */
export function QueryView<T>({ query, children }: QueryViewProps<T>) {
  const { data, error, dataUpdatedAt, refetch } = query;
  return (
    <>
      {error && (
        <>
          <Problem error={error} onRetry={() => void refetch()} />
          {data !== undefined && (
            <p className="muted small">
              <Age time={new Date(dataUpdatedAt).toISOString()} />
            </p>
          )}
        </>
      )}
      {data === undefined && !error && <Loading lines={8} />}
      {data !== undefined && children(data)}
    </>
  );
}
