import { textAt } from '@fairlead/apimachinery/json-at';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { send } from '../api/argocd.ts';
import { CodeView } from '../application/code/code-view.tsx';
import { Check } from '../design/check.tsx';
import { Page } from '../design/page.tsx';
import { Problem } from '../design/problem.tsx';
import { TextField } from '../design/text-field.tsx';
import { showToast } from '../design/toasts.tsx';
import { yamlText } from '../lib/yaml-text.ts';
import { t } from '../messages/index.ts';
import { type Draft, emptyDraft, manifestOf } from './draft.ts';
import { useList } from './use-list.ts';
import '../application/application.css';
import './create.css';

/** An Application from a form, with what the server reads at its source before it is created. */
export function CreateApplication() {
  const [draft, setDraft] = useState<Draft>(emptyDraft);
  const set = (change: Partial<Draft>): void => setDraft({ ...draft, ...change });
  const navigate = useNavigate();
  const projects = useList('projects').data ?? [];
  const clusters = useList('clusters').data ?? [];
  const repositories = useList('repositories').data ?? [];
  const create = useMutation({
    mutationFn: () => send('POST', 'applications', manifestOf(draft)),
    onSuccess: (created) => {
      showToast(t.create.created(draft.name));
      const namespace = textAt(created, 'metadata', 'namespace');
      void navigate({ to: '/applications/$namespace/$name', params: { namespace, name: draft.name }, search: {} });
    },
  });
  return (
    <Page title={t.create.title}>
      <div className="create">
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            create.mutate();
          }}
        >
          {create.error && <Problem error={create.error} />}
          <TextField label={t.create.name} required value={draft.name} onChange={(name) => set({ name })} />
          <TextField
            label={t.create.project}
            required
            value={draft.project}
            options={projects.map((project) => textAt(project, 'metadata', 'name'))}
            onChange={(project) => set({ project })}
          />
          <h2>{t.create.source}</h2>
          <TextField
            label={t.create.repo}
            required
            value={draft.repoURL}
            options={repositories.map((repository) => textAt(repository, 'repo'))}
            onChange={(repoURL) => set({ repoURL })}
          />
          <div className="create-pair">
            <TextField label={t.create.path} required value={draft.path} onChange={(path) => set({ path })} />
            <TextField label={t.create.revision} value={draft.revision} onChange={(revision) => set({ revision })} />
          </div>
          <h2>{t.create.destination}</h2>
          <div className="create-pair">
            <TextField
              label={t.create.cluster}
              required
              value={draft.cluster}
              options={clusters.map((cluster) => textAt(cluster, 'name'))}
              onChange={(cluster) => set({ cluster })}
            />
            <TextField
              label={t.create.namespace}
              required
              value={draft.namespace}
              onChange={(namespace) => set({ namespace })}
            />
          </div>
          <h2>{t.create.policy}</h2>
          <Check checked={draft.autoSync} onChange={(autoSync) => set({ autoSync })}>
            {t.create.autoSync}
          </Check>
          <Check checked={draft.prune} disabled={!draft.autoSync} onChange={(prune) => set({ prune })}>
            {t.create.prune}
          </Check>
          <Check checked={draft.selfHeal} disabled={!draft.autoSync} onChange={(selfHeal) => set({ selfHeal })}>
            {t.create.selfHeal}
          </Check>
          <Check checked={draft.createNamespace} onChange={(createNamespace) => set({ createNamespace })}>
            {t.create.createNamespace}
          </Check>
          <div>
            <button type="submit" className="button primary" disabled={create.isPending}>
              {t.create.submit}
            </button>
          </div>
        </form>
        <Preview draft={draft} />
      </div>
    </Page>
  );
}

function Preview({ draft }: { readonly draft: Draft }) {
  const { repoURL, path, revision, project, name } = draft;
  const source = { repoURL, path, targetRevision: revision || 'HEAD' };
  const details = useQuery({
    queryKey: ['app-details', source, project],
    queryFn: () =>
      send('POST', `repositories/${encodeURIComponent(repoURL)}/appdetails`, {
        source,
        appName: name || 'preview',
        appProject: project,
      }),
    enabled: repoURL !== '' && path !== '' && project !== '',
    retry: false,
    staleTime: 30_000,
  });
  return (
    <section className="stack" aria-label={t.create.preview}>
      <h2>{t.create.preview}</h2>
      <p className="muted small">{t.create.previewHint}</p>
      {details.error && <Problem error={details.error} />}
      {details.data !== undefined && (
        <p>
          {t.create.sourceType}: <strong>{textAt(details.data, 'type')}</strong>
        </p>
      )}
      <CodeView text={yamlText(manifestOf(draft))} label={t.create.preview} />
    </section>
  );
}
