import type { ErrorComponentProps } from '@tanstack/react-router';
import { Problem } from '../design/problem.tsx';
import { t } from '../messages/index.ts';

export const PageProblem = ({ error, reset }: ErrorComponentProps) => (
  <div className="page stack">
    <h1>{t.failed}</h1>
    <Problem error={error} onRetry={reset} />
  </div>
);
