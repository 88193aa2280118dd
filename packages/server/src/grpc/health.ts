import { textAt } from '@fairlead/apimachinery';
import type { Calls } from '../rpc/call.ts';
import { notFound } from '../rpc/rpc-error.ts';
import type { GrpcMethod } from './methods.ts';

const serving = 1;

export const healthMethods: readonly GrpcMethod[] = [
  {
    service: 'grpc.health.v1.Health',
    name: 'Check',
    call: 'Health.Check',
    request: 'health.HealthCheckRequest',
    response: 'health.HealthCheckResponse',
    isServerStream: false,
    isClientStream: false,
    isChange: false,
  },
];

/** The health of the whole server; it needs a session, as with argocd-server. `/healthz` needs none. */
export const healthCalls: Calls = {
  'Health.Check': (_, request) => {
    if (textAt(request, 'service') !== '') throw notFound('unknown service');
    return { status: serving };
  },
};
