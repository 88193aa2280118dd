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
  for (const { name, certificate } of storedCertificates(state))
    if (isUsable(name, certificate, log)) return certificate;
  const service = 'argocd-server';
  const inNamespace = ['', '.svc', '.svc.cluster.local'].map((end) => `${service}.${state.namespace}${end}`);
  const made = await selfSigned(['localhost', service, ...inNamespace], state.clock.now());
  await state.changeSecret({ 'tls.crt': made.cert, 'tls.key': made.key });
  return made;
}

/** Calls back with each new certificate. One that cannot be used is reported, and the one before stays in use. */
export function followCertificate(
  state: ServerState,
  log: Logger,
  current: Certificate,
  onChange: (certificate: Certificate) => void,
): void {
  let used = current;
  const check = (): void => {
    const [preferred] = storedCertificates(state);
    if (!preferred) return;
    const { name, certificate } = preferred;
    if (certificate.cert === used.cert && certificate.key === used.key) return;
    if (!isUsable(name, certificate, log)) return;
    used = certificate;
    onChange(certificate);
  };
  state.secrets.addHandler({ onAdd: check, onUpdate: check, onDelete: check });
}

interface Stored {
  /** Of the Secret. */
  readonly name: string;
  readonly certificate: Certificate;
}

/** The preferred one first. */
const storedCertificates = (state: ServerState): Stored[] =>
  [tlsSecret, 'argocd-secret'].flatMap((name) => {
    const certificate = certificateIn(state.secret(name));
    return certificate ? [{ name: `${state.namespace}/${name}`, certificate }] : [];
  });

function certificateIn(secret: Secret | undefined): Certificate | undefined {
  const cert = secret && secretValue(secret, 'tls.crt');
  const key = secret && secretValue(secret, 'tls.key');
  return cert && key ? { cert, key } : undefined;
}

function isUsable(name: string, certificate: Certificate, log: Logger): boolean {
  try {
    createSecureContext({ ...certificate });
    return true;
  } catch (error) {
    log.error(`the certificate in Secret ${name} cannot be used: ${messageOf(error)}`);
    return false;
  }
}
