/** A sandbox that renders one source at a time. It requests files from the process that started it. */
import { serveSandbox } from '@fairlead/kube/serve-sandbox';
import { RenderError } from '../render-error.ts';
import { keyOfRemote } from '../source/remotes.ts';
import type { RenderContext } from '../source/render-context.ts';
import { renderSource } from '../source/render-source.ts';
import { serializeError } from './error-message.ts';
import { manifestParts } from './manifest-parts.ts';
import type { RenderProtocol, TreeName, TreeResults } from './protocol.ts';
import { proxyTree, type RequestTree } from './proxy-tree.ts';

serveSandbox<RenderProtocol>(async ({ source, context, refs, remotes, preloaded }, host) => {
  const requestsOf =
    (tree: TreeName): RequestTree =>
    async (operation, path) => {
      const { value, error } = await host.request({ tree, operation, path });
      if (error) throw error.reason ? new RenderError(error.reason, error.message) : new Error(error.message);
      return value as TreeResults[typeof operation];
    };
  const whole: RenderContext = {
    ...context,
    refs: new Map(refs.map((name) => [name, proxyTree(requestsOf(`$${name}`))])),
    ...(remotes
      ? {
          async fetchRemote(request) {
            const key = keyOfRemote(request);
            await requestsOf(key)('open', key);
            return proxyTree(requestsOf(key));
          },
        }
      : {}),
  };
  try {
    const { manifests, ...rendered } = await renderSource(source, proxyTree(requestsOf(''), preloaded), whole);
    try {
      for (const part of manifestParts(manifests)) await host.sendPart(part);
    } catch (error) {
      if (error instanceof RenderError) error.inputs = rendered;
      throw error;
    }
    return { rendered };
  } catch (error) {
    return { error: serializeError(error) };
  }
});
