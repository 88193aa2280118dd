import type { JsonObject } from '@fairlead/apimachinery/json-at';
import { useState } from 'react';
import { send } from '../../api/argocd.ts';
import { FormDialog } from '../../design/form-dialog.tsx';
import { LinesField } from '../../design/lines-field.tsx';
import { TextField } from '../../design/text-field.tsx';
import { t } from '../../messages/index.ts';
import { useSave } from '../use-save.ts';
import { emptyProject, type ProjectDraft, projectDraft, projectOf } from './project-draft.ts';

interface ProjectFormProps {
  /** Undefined for a new one. */
  readonly project?: JsonObject | undefined;
  readonly onClose: () => void;
}

export function ProjectForm({ project, onClose }: ProjectFormProps) {
  const [draft, setDraft] = useState<ProjectDraft>(project ? projectDraft(project) : emptyProject);
  const set = (change: Partial<ProjectDraft>): void => setDraft({ ...draft, ...change });
  const action = useSave({
    list: 'projects',
    done: t.projects.saved(draft.name),
    save: () =>
      project
        ? send('PUT', `projects/${encodeURIComponent(draft.name)}`, { project: projectOf(draft, project) })
        : send('POST', 'projects', { project: projectOf(draft) }),
    onDone: onClose,
  });
  return (
    <FormDialog
      title={project ? t.projects.edit(draft.name) : t.projects.add}
      submit={t.save}
      action={action}
      onClose={onClose}
    >
      {!project && <TextField label={t.projects.name} required value={draft.name} onChange={(name) => set({ name })} />}
      <TextField
        label={t.projects.description}
        value={draft.description}
        onChange={(description) => set({ description })}
      />
      <LinesField
        label={t.projects.sources}
        hint={t.projects.sourcesHint}
        value={draft.sourceRepos}
        onChange={(sourceRepos) => set({ sourceRepos })}
      />
      <LinesField
        label={t.projects.destinations}
        hint={t.projects.destinationsHint}
        value={draft.destinations}
        onChange={(destinations) => set({ destinations })}
      />
      <LinesField
        label={t.projects.clusterResources}
        hint={t.projects.clusterResourcesHint}
        value={draft.clusterResources}
        onChange={(clusterResources) => set({ clusterResources })}
      />
    </FormDialog>
  );
}
