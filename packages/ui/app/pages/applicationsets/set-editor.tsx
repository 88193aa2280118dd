import { type JsonObject, objectAt, objectsAt, textAt } from '@fairlead/apimachinery/json-at';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { parse } from 'yaml';
import { send } from '../../api/argocd.ts';
import { DataTable } from '../../design/data-table.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { LinesField } from '../../design/lines-field.tsx';
import { Loading } from '../../design/loading.tsx';
import { Problem } from '../../design/problem.tsx';
import { useDelayed } from '../../lib/use-delayed.ts';
import { yamlText } from '../../lib/yaml-text.ts';
import { t } from '../../messages/index.ts';
import { useSave } from '../use-save.ts';
import { exampleSet } from './example-set.ts';
import { applicationsOf, plannedChanges } from './set-model.ts';

interface SetEditorProps {
  /** Undefined for a new one. */
  readonly set?: JsonObject | undefined;
  readonly onClose: () => void;
}

/** An ApplicationSet as YAML, beside the Applications that its parameters give. */
export function SetEditor({ set, onClose }: SetEditorProps) {
  const [lines, setLines] = useState<readonly string[]>(() => yamlText(set ? editable(set) : exampleSet).split('\n'));
  const text = useDelayed(lines.join('\n'), 500);
  const parsed = parsedSet(text);
  const action = useSave({
    list: 'applicationsets',
    done: t.sets.saved,
    save: async () => {
      const current = parsedSet(lines.join('\n'));
      if (current instanceof Error) throw current;
      return send('POST', 'applicationsets', current, { upsert: set !== undefined });
    },
    onDone: onClose,
  });
  return (
    <FormDialog
      wide
      title={set ? t.sets.edit(textAt(set, 'metadata', 'name')) : t.sets.add}
      submit={t.save}
      action={action}
      onClose={onClose}
    >
      <div className="set-editor">
        <LinesField label={t.sets.manifest} rows={24} value={lines} onChange={setLines} />
        <div className="stack">
          <h3>{t.sets.preview}</h3>
          {parsed instanceof Error ? <Problem error={parsed} /> : <Generated set={parsed} existing={set} />}
        </div>
      </div>
    </FormDialog>
  );
}

/** Without what the server keeps. */
function editable(set: JsonObject): JsonObject {
  const { name = '', namespace = '' } = {
    name: textAt(set, 'metadata', 'name'),
    namespace: textAt(set, 'metadata', 'namespace'),
  };
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name, namespace },
    spec: objectAt(set, 'spec') ?? {},
  };
}

function parsedSet(text: string): JsonObject | Error {
  try {
    const value: unknown = parse(text);
    return objectAt({ value }, 'value') ?? new Error(t.sets.notObject);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function Generated({ set, existing }: { readonly set: JsonObject; readonly existing: JsonObject | undefined }) {
  const generated = useQuery({
    queryKey: ['generate', set],
    queryFn: async () =>
      objectsAt(await send('POST', 'applicationsets/generate', { applicationSet: set }), 'applications'),
    retry: false,
    staleTime: 30_000,
  });
  if (generated.error) return <Problem error={generated.error} />;
  if (!generated.data) return <Loading lines={6} />;
  const applications = new Map(
    generated.data.map((application) => [textAt(application, 'metadata', 'name'), application]),
  );
  const changes = plannedChanges(
    [...applications.keys()],
    applicationsOf(existing).map(({ name }) => name),
  );
  return (
    <DataTable
      label={t.sets.preview}
      items={changes}
      keyOf={({ name }) => name}
      columns={[
        { title: t.sets.application, cell: ({ name }) => <strong>{name}</strong> },
        {
          title: t.sets.change,
          cell: ({ change }) => <span className={`pill change-${change}`}>{t.sets.changes[change]}</span>,
        },
        {
          title: t.app.destination,
          cell: ({ name }) => {
            const destination = objectAt(applications.get(name), 'spec', 'destination');
            return `${textAt(destination, 'name') || textAt(destination, 'server')} ${textAt(destination, 'namespace')}`;
          },
        },
        {
          title: t.app.source,
          cell: ({ name }) => textAt(applications.get(name), 'spec', 'source', 'path'),
        },
      ]}
    />
  );
}
