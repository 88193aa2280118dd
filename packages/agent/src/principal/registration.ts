import { createPublicKey } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { type Agent, agentKind } from '@fairlead/api';
import { find, formatTime } from '@fairlead/apimachinery';
import type { ApiClient, Clock, Logger } from '@fairlead/kube';
import type { CertificateSchema, JoinRequest, RenewRequest } from '../wire/gen/registration_pb.ts';
import { GrpcError, grpcStatus } from '../wire/grpc-frames.ts';
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
  /** The validity of agents' certificates. */
  readonly certificateDays: number | undefined;
}

type CertificateInit = MessageInitShape<typeof CertificateSchema>;

/** Issues the first certificate to clusters that join, and new certificates to agents. */
export class Registration {
  readonly #options: RegistrationOptions;

  constructor(options: RegistrationOptions) {
    this.#options = options;
  }

  async join({ token, publicKey, cluster }: JoinRequest): Promise<CertificateInit> {
    const [agent = '', secret = ''] = token.split('.');
    const { client, namespace, clock } = this.#options;
    const known = await find(client.get<Agent>(agentKind.type, { namespace, name: agent }));
    if (!known)
      throw new GrpcError(
        grpcStatus.permissionDenied,
        `agent ${agent} does not exist: create it with fairlead agent invite ${agent}`,
      );
    const problem = keyProblem(publicKey) ?? (await redeem(client, namespace, agent, secret, clock.now()));
    if (problem) throw new GrpcError(grpcStatus.permissionDenied, problem);
    return this.#certificate(known, publicKey, cluster);
  }

  /** `agent` is authenticated by its present certificate. */
  async renew({ publicKey }: RenewRequest, agent: string, known: Agent | undefined): Promise<CertificateInit> {
    if (!known || known.spec.blocked)
      throw new GrpcError(
        grpcStatus.permissionDenied,
        `agent ${agent} is blocked or does not exist, so it gets no certificate`,
      );
    const problem = keyProblem(publicKey);
    if (problem) throw new GrpcError(grpcStatus.invalidArgument, problem);
    return this.#certificate(known, publicKey, undefined);
  }

  async #certificate(
    { metadata: { name: agent, uid }, spec }: Agent,
    publicKey: string,
    cluster: string | undefined,
  ): Promise<CertificateInit> {
    const { authority, certificateDays, clock, log, statuses } = this.#options;
    const issued = await authority.issueAgent(
      { agent, ...(uid ? { uid } : {}) },
      publicKey,
      certificateDays,
      clock.now(),
    );
    const expires = formatTime(issued.expires);
    const status = { certificate: { fingerprint: issued.fingerprint, expires }, ...(cluster ? { cluster } : {}) };
    await statuses.patch(agent, status);
    log.info('issued a certificate', { agent, expires });
    return { certificate: issued.pem, ca: authority.ca, agent, mode: spec.mode };
  }
}

function keyProblem(pem: string): string | undefined {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey(pem);
    return asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1'
      ? undefined
      : 'the key is not on the curve P-256';
  } catch {
    return 'the request contains no valid public key';
  }
}
