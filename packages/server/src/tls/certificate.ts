import { createSecureContext } from 'node:tls';
import { messageOf, type Secret, secretValue } from '@fairlead/apimachinery';
import type { Logger } from '@fairlead/kube';
import type { ServerState } from '../state/server-state.ts';
import { selfSigned } from './self-signed.ts';

/** Certificate and key of the server, as PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** The Secret with a certificate that was issued for the server, for example by cert-manager. */
const tlsSecret = 'argocd-server-tls';

/**
 * The certificate of the server: that in Secret `argocd-server-tls`, else that in `argocd-secret`. Without both, one is generated and stored
 * in `argocd-secret`, so that replicas and restarts have the same.
 */
export async function serverCertificate(state: ServerState, log: Logger): Promise<Certificate> {
  const known = storedCertificate(state, log);
  if (known) return known;
  const service = 'argocd-server';
  const names = [
    'localhost',
    service,
    ...['', '.svc', '.svc.cluster.local'].map((end) => `${service}.${state.namespace}${end}`),
  ];
  const made = await selfSigned(names, state.clock.now());
  await state.changeSecret({ 'tls.crt': made.cert, 'tls.key': made.key });
  return made;
}

/** Calls back with each new certificate until the returned function is called. One that cannot be used is reported, and the one before stays. */
export function followCertificate(
  state: ServerState,
  log: Logger,
  current: Certificate,
  onChange: (certificate: Certificate) => void,
): () => void {
  let used = current;
  const check = (): void => {
    const found = storedCertificate(state, log);
    if (!found || (found.cert === used.cert && found.key === used.key)) return;
    used = found;
    onChange(found);
  };
  return state.secrets.addHandler({ onAdd: check, onUpdate: check, onDelete: check });
}

function storedCertificate(state: ServerState, log: Logger): Certificate | undefined {
  for (const name of [tlsSecret, 'argocd-secret']) {
    const found = certificateIn(state.secret(name));
    if (!found) continue;
    const problem = problemOf(found);
    if (problem === undefined) return found;
    log.error(`the certificate in Secret ${state.namespace}/${name} cannot be used: ${problem}`);
  }
  return undefined;
}

function certificateIn(secret: Secret | undefined): Certificate | undefined {
  const cert = secret && secretValue(secret, 'tls.crt');
  const key = secret && secretValue(secret, 'tls.key');
  return cert && key ? { cert, key } : undefined;
}

function problemOf(certificate: Certificate): string | undefined {
  try {
    createSecureContext({ ...certificate });
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
