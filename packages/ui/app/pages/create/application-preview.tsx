import { textAt } from '@fairlead/apimachinery/json-at';
import type { Preview } from '@fairlead/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { CodeView } from '../../application/code/code-view.tsx';
import { KindBadge } from '../../application/tree/kind-badge.tsx';
import { Empty } from '../../design/empty.tsx';
import { Loading } from '../../design/loading.tsx';
import { Problem } from '../../design/problem.tsx';
import { Segments } from '../../design/segments.tsx';
import { shortRevision } from '../../lib/revision.ts';
import { useDelayed } from '../../lib/use-delayed.ts';
import { yamlText } from '../../lib/yaml-text.ts';
import { t } from '../../messages/index.ts';
import { type Draft, isComplete, manifestOf } from './draft.ts';

/** What would be created: the objects that the sources render to, and the Application itself. */
export function ApplicationPreview({ draft }: { readonly draft: Draft }) {
  const [shown, setShown] = useState<'objects' | 'manifest'>('objects');
  const application = manifestOf(useDelayed(draft, 500));
  const preview = useQuery({
    queryKey: ['preview', application],
    queryFn: ({ signal }) => client.call('previewApplication', { body: { application } }, { signal }),
    enabled: isComplete(draft),
    retry: false,
    staleTime: 30_000,
  });
  return (
    <section className="stack" aria-label={t.create.preview}>
      <div className="row">
        <h2>{t.create.preview}</h2>
        <span className="spread" />
        <Segments
          label={t.create.preview}
          value={shown}
          options={[
            { value: 'objects', label: t.create.objects },
            { value: 'manifest', label: t.create.manifest },
          ]}
          onChange={setShown}
        />
      </div>
      {shown === 'manifest' && <CodeView text={yamlText(manifestOf(draft))} label={t.create.manifest} />}
      {shown === 'objects' && !isComplete(draft) && (
        <Empty icon="render" title={t.create.incomplete}>
          <p>{t.create.previewHint}</p>
        </Empty>
      )}
      {shown === 'objects' && isComplete(draft) && (
        <>
          {preview.error && <Problem error={preview.error} />}
          {preview.isPending && <Loading lines={8} />}
          {preview.data && !preview.error && <Objects preview={preview.data} />}
        </>
      )}
    </section>
  );
}

const labelOf = (manifest: unknown): string => `${textAt(manifest, 'kind')} ${textAt(manifest, 'metadata', 'name')}`;

function Objects({ preview: { manifests, revisions, sourceTypes } }: { readonly preview: Preview }) {
  return (
    <>
      <p className="muted small" role="status">
        {t.create.rendered(
          manifests.length,
          sourceTypes.filter(Boolean).join(', '),
          revisions.map(shortRevision).join(', '),
        )}
      </p>
      {manifests.map((manifest, place) => (
        <details
          key={`${labelOf(manifest)} ${textAt(manifest, 'metadata', 'namespace')}`}
          className="card change"
          open={place === 0}
        >
          <summary>
            <KindBadge kind={textAt(manifest, 'kind')} />
            <strong className="truncate">{textAt(manifest, 'metadata', 'name')}</strong>
            <span className="muted small">{textAt(manifest, 'kind')}</span>
          </summary>
          <CodeView text={yamlText(manifest)} label={labelOf(manifest)} />
        </details>
      ))}
    </>
  );
}
