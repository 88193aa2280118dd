import { done, GaveUpKey, type Reconcile, type ShardMember, untilAborted } from '@fairlead/kube';

/** The share of a replica: which Applications and projects it works on. */
export type Shard = Pick<ShardMember, 'owns' | 'hold' | 'onChange'>;

/** One replica that works on everything. */
export const everything: Shard = {
  owns: () => true,
  hold: (_, signal, work) => work(signal),
  onChange: () => () => {},
};

/** Reconciles only keys of this replica. A reconcile whose key goes to another replica ends early, and is not retried here. */
export const whileOwned =
  (shard: Shard, reconcile: Reconcile): Reconcile =>
  async (key, context) => {
    if (shard === everything) return reconcile(key, context);
    const work = async (signal: AbortSignal) => {
      const waitFor = <T>(promise: Promise<T>): Promise<T> => context.waitFor(untilAborted(promise, signal));
      try {
        return await reconcile(key, { ...context, signal, waitFor });
      } catch (error) {
        if (signal.reason instanceof GaveUpKey) return done;
        throw error;
      }
    };
    return (await shard.hold(key, context.signal, work)) ?? done;
  };
