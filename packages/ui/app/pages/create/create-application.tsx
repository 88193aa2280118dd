import { textAt } from '@fairlead/apimachinery/json-at';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { send } from '../../api/argocd.ts';
import { Check } from '../../design/check.tsx';
import { Page } from '../../design/page.tsx';
import { Problem } from '../../design/problem.tsx';
import { Segments } from '../../design/segments.tsx';
import { TextField } from '../../design/text-field.tsx';
import { showToast } from '../../design/toasts.tsx';
import { t } from '../../messages/index.ts';
import { useList } from '../use-list.ts';
import { ApplicationPreview } from './application-preview.tsx';
import { type Draft, emptyDraft, manifestOf } from './draft.ts';
import '../../application/application.css';
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
          <fieldset className="card padded stack form-section">
            <legend>{t.create.general}</legend>
            <TextField label={t.create.name} required value={draft.name} onChange={(name) => set({ name })} />
            <TextField
              label={t.create.project}
              required
              value={draft.project}
              options={projects.map((project) => textAt(project, 'metadata', 'name'))}
              onChange={(project) => set({ project })}
            />
          </fieldset>
          <fieldset className="card padded stack form-section">
            <legend>{t.create.source}</legend>
            <TextField
              label={t.create.repo}
              required
              value={draft.repoURL}
              options={repositories.map((repository) => textAt(repository, 'repo'))}
              onChange={(repoURL) => set({ repoURL })}
            />
            <Segments
              label={t.create.kind}
              value={draft.kind}
              options={[
                { value: 'folder', label: t.create.folder, icon: 'repository' },
                { value: 'chart', label: t.create.chart, icon: 'image' },
              ]}
              onChange={(kind) => set({ kind })}
            />
            <div className="create-pair">
              <TextField
                label={draft.kind === 'chart' ? t.create.chartName : t.create.path}
                required
                value={draft.path}
                onChange={(path) => set({ path })}
              />
              <TextField
                label={draft.kind === 'chart' ? t.create.version : t.create.revision}
                required={draft.kind === 'chart'}
                placeholder={draft.kind === 'chart' ? '1.2.*' : 'HEAD'}
                value={draft.revision}
                onChange={(revision) => set({ revision })}
              />
            </div>
          </fieldset>
          <fieldset className="card padded stack form-section">
            <legend>{t.create.destination}</legend>
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
          </fieldset>
          <fieldset className="card padded stack form-section">
            <legend>{t.create.policy}</legend>
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
          </fieldset>
          <div>
            <button type="submit" className="button primary" disabled={create.isPending}>
              {t.create.submit}
            </button>
          </div>
        </form>
        <ApplicationPreview draft={draft} />
      </div>
    </Page>
  );
}
