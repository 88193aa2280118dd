import { capabilitiesOf } from '../wire/capabilities.ts';
import { Version } from '../wire/gen/version_pb.ts';
import type { GrpcClient } from '../wire/grpc-client.ts';
import { GrpcError, grpcStatus } from '../wire/grpc-frames.ts';
import { callUnary } from '../wire/rpc.ts';

/** What a principal of argocd-agent calls itself. */
const theirs = /^argocd-agent-(.+)$/u;

/**
 * The version to announce to a principal: the own one, with its capabilities, unless the principal is argocd-agent's, which accepts no version but its own.
 */
export async function versionFor(client: GrpcClient, own: string): Promise<string> {
  try {
    const { version } = await callUnary(client, Version.method.version, {});
    if (capabilitiesOf(version).fairlead) return own;
    return theirs.exec(version)?.[1] ?? own;
  } catch (error) {
    // A principal without this service is no reason not to try.
    if (error instanceof GrpcError && error.code === grpcStatus.unimplemented) return own;
    throw error;
  }
}
