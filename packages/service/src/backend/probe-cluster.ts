import { ApiError, isNotFound, namespaceType } from '@fairlead/apimachinery';
import { type ApiClient, fixedCredentials, HttpClient, TransportError } from '@fairlead/kube';
import { ConnectionProblem } from './connection-problem.ts';
import type { ClusterLogin, ClusterProbe, ServiceAccountRemoval } from './probes.ts';
import { installServiceAccount, uninstallServiceAccount } from './service-account.ts';

/** Signs in to a cluster over the network, as Argo CD will. A cluster that does not respond within `answerMs` is unreachable. */
export const clusterProbe =
  (answerMs: number): ClusterProbe =>
  async (login, { namespaces, newServiceAccount }, signal) => {
    const client = new HttpClient(optionsOf(login, answerMs));
    try {
      const clusterUid = await identify(client, namespaces, signal);
      const token =
        newServiceAccount === undefined ? undefined : await installServiceAccount(client, newServiceAccount, signal);
      return { ...(clusterUid === undefined ? {} : { clusterUid }), ...(token === undefined ? {} : { token }) };
    } catch (error) {
      throw explain(error, login.server);
    } finally {
      await client.close();
    }
  };

export const probeCluster = clusterProbe(10_000);

/** Removes a service account that `clusterProbe` created. */
export const serviceAccountRemoval =
  (answerMs: number): ServiceAccountRemoval =>
  async (login, name, signal) => {
    const client = new HttpClient(optionsOf(login, answerMs));
    try {
      await uninstallServiceAccount(client, name, signal);
    } catch (error) {
      throw explain(error, login.server);
    } finally {
      await client.close();
    }
  };

export const removeServiceAccount = serviceAccountRemoval(10_000);

function optionsOf({ server, ca, insecure, token, certificate, basic }: ClusterLogin, answerMs: number) {
  return {
    server,
    timeoutMs: answerMs,
    maxRetries: 0,
    tls: { ...(ca !== undefined && !insecure ? { ca } : {}), ...(insecure ? { insecure: true } : {}) },
    credentials: fixedCredentials({
      ...(token ? { token } : {}),
      ...(certificate ? { certificate } : {}),
      ...(basic ? { basic } : {}),
    }),
  };
}

/** A cluster is identified by its kube-system; credentials that cannot read that must be able to read the given namespaces. */
async function identify(
  client: ApiClient,
  namespaces: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const system = await client.get(namespaceType, { name: 'kube-system' }, { signal });
    return system.metadata.uid;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 403) throw error;
    if (namespaces.length === 0) {
      throw new ConnectionProblem(
        'UnableToValidateClusterCredentials',
        'the credentials are not for the whole cluster: name the namespaces that they are for in spec.namespaces',
      );
    }
    return undefined;
  }
}

const certificateCodes = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|ALTNAME|ERR_TLS/u;

function explain(error: unknown, server: string): unknown {
  if (error instanceof TransportError) {
    if (certificateCodes.test(error.code))
      return new ConnectionProblem(
        'CertificateRefused',
        `the certificate of ${server} is not trusted (${error.code}): put its authority into the kubeconfig`,
      );
    return new ConnectionProblem('HostUnreachable', `${server} does not respond (${error.code || error.message})`);
  }
  if (!(error instanceof ApiError) || isNotFound(error)) return error;
  if (error.code === 401)
    return new ConnectionProblem('UnableToValidateClusterCredentials', `${server} does not accept the credentials`);
  if (error.code === 403)
    return new ConnectionProblem('UnableToValidateClusterCredentials', `${server} refuses: ${error.message}`);
  return new ConnectionProblem('HostUnreachable', `${server} answers "${error.message}"`);
}
