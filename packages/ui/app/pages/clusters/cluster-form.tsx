import { type JsonObject, textAt } from '@fairlead/apimachinery/json-at';
import { useState } from 'react';
import { send } from '../../api/argocd.ts';
import { textsAt } from '../../api/read-application.ts';
import { Check } from '../../design/check.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { filled, LinesField } from '../../design/lines-field.tsx';
import { TextField } from '../../design/text-field.tsx';
import { t } from '../../messages/index.ts';
import { useSave } from '../use-save.ts';

interface ClusterFormProps {
  /** Undefined for a new one. */
  readonly cluster?: JsonObject | undefined;
  readonly onClose: () => void;
}

/** A cluster with a bearer token. `fairlead cluster add` makes the account and the token in the cluster. */
export function ClusterForm({ cluster, onClose }: ClusterFormProps) {
  const [server, setServer] = useState(textAt(cluster, 'server'));
  const [name, setName] = useState(textAt(cluster, 'name'));
  const [namespaces, setNamespaces] = useState<readonly string[]>(textsAt(cluster, 'namespaces'));
  const [bearerToken, setToken] = useState('');
  const [certificate, setCertificate] = useState<readonly string[]>([]);
  const [insecure, setInsecure] = useState(false);
  const action = useSave({
    list: 'clusters',
    done: t.clusters.saved(name),
    save: () =>
      cluster
        ? send(
            'PUT',
            `clusters/${encodeURIComponent(server)}`,
            { server, name, namespaces: filled(namespaces) },
            { updatedFields: ['name', 'namespaces'] },
          )
        : send('POST', 'clusters', {
            server,
            name,
            namespaces: filled(namespaces),
            config: {
              bearerToken,
              tlsClientConfig: insecure ? { insecure } : { caData: btoa(certificate.join('\n')) },
            },
          }),
    onDone: onClose,
  });
  return (
    <FormDialog
      title={cluster ? t.clusters.edit(name) : t.clusters.add}
      submit={t.save}
      action={action}
      onClose={onClose}
    >
      <TextField label={t.clusters.name} required value={name} onChange={setName} />
      {!cluster && (
        <>
          <TextField
            label={t.clusters.server}
            type="url"
            required
            placeholder="https://kubernetes.example.com:6443"
            value={server}
            onChange={setServer}
          />
          <TextField
            label={t.clusters.token}
            type="password"
            autoComplete="off"
            required
            value={bearerToken}
            onChange={setToken}
          />
          {!insecure && (
            <LinesField
              label={t.clusters.certificate}
              placeholder="-----BEGIN CERTIFICATE-----"
              value={certificate}
              onChange={setCertificate}
            />
          )}
          <Check checked={insecure} onChange={setInsecure}>
            {t.clusters.insecure}
          </Check>
        </>
      )}
      <LinesField
        label={t.clusters.namespaces}
        hint={t.clusters.namespacesHint}
        value={namespaces}
        onChange={setNamespaces}
      />
    </FormDialog>
  );
}
