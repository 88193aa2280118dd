import { messageOf } from '@fairlead/apimachinery';
import type { Clock, Logger } from '@fairlead/kube';
import { Authentication, type AuthResponse } from '../wire/gen/auth_pb.ts';
import type { GrpcClient } from '../wire/grpc-client.ts';
import { callUnary } from '../wire/rpc.ts';
import { lifeOf } from '../wire/tokens.ts';

/** The assumed validity of a token that does not contain it. */
const defaultTokenMs = 15 * 60_000;

export type IssuedTokens = Pick<AuthResponse, 'accessToken' | 'refreshToken'>;

export interface RefreshedTokens {
  /** The present access token. */
  accessToken(): string;
  stop(): void;
}

/**
 * Gets a new token after two thirds of the validity of the present one, repeatedly: a principal closes the stream of an agent whose token
 * has expired. The time is measured from when the token was received, since the clocks of the two sides may differ.
 */
export function refreshTokens(client: GrpcClient, first: IssuedTokens, clock: Clock, log: Logger): RefreshedTokens {
  let tokens = first;
  let cancel = () => {};
  let stopped = false;
  const wait = (share: number): void => {
    if (stopped) return;
    cancel = clock.after((lifeOf(tokens.accessToken) ?? defaultTokenMs) * share, () => {
      callUnary(client, Authentication.method.refreshToken, { refreshToken: tokens.refreshToken })
        .then(({ accessToken, refreshToken }) => {
          tokens = {
            accessToken: accessToken || tokens.accessToken,
            refreshToken: refreshToken || tokens.refreshToken,
          };
          wait(2 / 3);
        })
        .catch((error: unknown) => {
          log.warn('cannot refresh the token', { reason: messageOf(error) });
          wait(1 / 12);
        });
    });
  };
  wait(2 / 3);
  return {
    accessToken: () => tokens.accessToken,
    stop: () => {
      stopped = true;
      cancel();
    },
  };
}
