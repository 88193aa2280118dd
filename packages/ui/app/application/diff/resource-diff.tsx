import type { ResourceDifference } from '@fairlead/client';
import { lazy, Suspense } from 'react';
import { Empty } from '../../design/empty.tsx';
import { Loading } from '../../design/loading.tsx';
import { yamlText } from '../../lib/yaml-text.ts';
import { t } from '../../messages/index.ts';
import { FieldDiff } from './field-diff.tsx';
import './diff.css';

const CodeDiff = lazy(() => import('../code/code-diff.tsx'));

interface ResourceDiffProps {
  readonly resource: ResourceDifference;
  readonly mode?: 'split' | 'inline' | undefined;
  /** Fields, then the manifests inline. */
  readonly inline?: boolean;
}

/** The differences of one object. */
export default function ResourceDiff({ resource, mode, inline = false }: ResourceDiffProps) {
  const manifests = (
    <div className="card code-frame">
      {mode === 'split' && (
        <div className="diff-heads">
          <span>{t.diff.live}</span>
          <span>{t.diff.target}</span>
        </div>
      )}
      <Suspense fallback={<Loading />}>
        <CodeDiff live={textOf(resource.live)} target={textOf(resource.target)} inline={mode !== 'split'} />
      </Suspense>
    </div>
  );
  if (mode) return manifests;
  if (resource.status === 'Unknown') return <p className="note">{t.diff.Unknown}</p>;
  if (resource.status === 'Missing' || resource.status === 'Extra') {
    return (
      <div className="stack">
        <p className="note">{t.diff[resource.status]}</p>
        {manifests}
      </div>
    );
  }
  if (resource.fields.length === 0) {
    return (
      <Empty icon="check" title={t.diff.none}>
        <p>{t.diff.noneHint}</p>
      </Empty>
    );
  }
  return (
    <div className="stack">
      <FieldDiff resource={resource} />
      {inline && manifests}
    </div>
  );
}

const textOf = (state: unknown): string => (state === undefined ? '' : yamlText(state));
