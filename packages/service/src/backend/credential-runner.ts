import type { Context } from './context.ts';

export async function runCredential(
  _: Context,
  __: { namespace: string; name: string },
  ___: AbortSignal,
): Promise<void> {}
