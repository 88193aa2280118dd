import type { Clock, Logger } from '@fairlead/kube';
import { Authentication, type AuthResponse } from '../wire/gen/auth_pb.ts';
import type { GrpcClient } from '../wire/grpc-client.ts';
import { callUnary } from '../wire/rpc.ts';
import { lifeOf } from '../wire/tokens.ts';

/** Of a token that does not say how long it is good. */
const defaultTokenMs = 15 * 60_000;

export type IssuedTokens = Pick<AuthResponse, 'accessToken' | 'refreshToken'>;

/**
 * Asks for the next token when two thirds of the present one's time are over, and then again and again: a principal ends the stream of
 * an agent whose token has run out. Time is measured from when the token came, since the two clocks need not agree.
 */
export function refreshTokens(client: GrpcClient, first: IssuedTokens, clock: Clock, log: Logger): () => void {
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
          log.warn('no new token', { reason: (error as Error).message });
          wait(1 / 12);
        });
    });
  };
  wait(2 / 3);
  return () => {
    stopped = true;
    cancel();
  };
}
