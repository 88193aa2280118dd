import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { t } from '../messages/index.ts';
import { ErrorBoundary } from './error-boundary.tsx';

interface PageProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly meta?: ReactNode;
}

/** A page with a title. */
export function Page({ title, meta, actions, children }: PageProps) {
  useTitle(title);
  return (
    <div className="page">
      <header className="page-head">
        <h1>{title}</h1>
        {meta}
        <span className="spread" />
        {actions}
      </header>
      <ErrorBoundary>{children}</ErrorBoundary>
    </div>
  );
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${t.product}`;
  }, [title]);
}
