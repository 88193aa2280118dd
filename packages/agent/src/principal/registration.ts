import { createPublicKey } from 'node:crypto';
import { type Agent, agentKind } from '@fairlead/api';
import { find } from '@fairlead/apimachinery';
import type { ApiClient, Clock, Logger } from '@fairlead/kube';
import { GrpcError, grpcStatus } from '../wire/grpc-frames.ts';
import { ProtoWriter, readStrings } from '../wire/protobuf.ts';
import type { Authority } from './authority.ts';
import { redeem } from './invitations.ts';
import type { StatusWriter } from './status-writer.ts';

export interface RegistrationOptions {
  readonly client: ApiClient;
  readonly namespace: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly authority: Authority;
  readonly statuses: StatusWriter;
  /** How long certificates of agents are good. */
  readonly certificateDays: number | undefined;
}

/** How clusters become agents, and agents get their next certificate. */
export class Registration {
  readonly #options: RegistrationOptions;

  constructor(options: RegistrationOptions) {
    this.#options = options;
  }

  async join(request: Buffer): Promise<Buffer> {
    const { strings } = readStrings(request);
    const [, token = '', publicKey = '', cluster = ''] = strings;
    const [agent = '', secret = ''] = token.split('.');
    const { client, namespace, clock } = this.#options;
    const known = await find(client.get<Agent>(agentKind.type, { namespace, name: agent }));
    if (!known) throw new GrpcError(grpcStatus.permissionDenied, `there is no agent ${agent} here: invite it first`);
    const problem = keyProblem(publicKey) ?? (await redeem(client, namespace, agent, secret, clock.now()));
    if (problem) throw new GrpcError(grpcStatus.permissionDenied, problem);
    return this.#certificate(known, publicKey, cluster);
  }

  /** `agent` has proved its name with the certificate that it has. */
  async renew(request: Buffer, agent: string, known: Agent | undefined): Promise<Buffer> {
    if (!known || known.spec.blocked)
      throw new GrpcError(grpcStatus.permissionDenied, `agent ${agent} gets no certificate`);
    const publicKey = readStrings(request).strings[1] ?? '';
    const problem = keyProblem(publicKey);
    if (problem) throw new GrpcError(grpcStatus.invalidArgument, problem);
    return this.#certificate(known, publicKey, undefined);
  }

  async #certificate(
    { metadata: { name: agent }, spec }: Agent,
    publicKey: string,
    cluster: string | undefined,
  ): Promise<Buffer> {
    const { authority, certificateDays, clock, log, statuses } = this.#options;
    const issued = await authority.issueAgent(agent, publicKey, certificateDays, clock.now());
    const expires = new Date(issued.expires).toISOString().replace(/\.\d+Z$/u, 'Z');
    const status = { certificate: { fingerprint: issued.fingerprint, expires }, ...(cluster ? { cluster } : {}) };
    await statuses.patch(agent, status);
    log.info('a certificate was issued', { agent, expires });
    return new ProtoWriter()
      .string(1, issued.pem)
      .string(2, authority.ca)
      .string(3, agent)
      .string(4, spec.mode)
      .finish();
  }
}

function keyProblem(pem: string): string | undefined {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey(pem);
    return asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1'
      ? undefined
      : 'the key is not one on P-256';
  } catch {
    return 'the request holds no public key';
  }
}
