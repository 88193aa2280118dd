/** The state of a simulated container. Times are in milliseconds since the epoch. */
export interface ContainerRun {
  readonly name: string;
  readonly image: string;
  state: ContainerState;
  last?: Exit;
  restarts: number;
  ready: boolean;
  imageId: string;
}

export type ContainerState =
  | { readonly kind: 'waiting'; readonly reason: string; readonly message?: string }
  | { readonly kind: 'running'; readonly startedAt: number }
  | ({ readonly kind: 'exited' } & Exit);

export interface Exit {
  readonly code: number;
  readonly reason: string;
  readonly startedAt: number;
  readonly finishedAt: number;
}

export const creating: ContainerState = { kind: 'waiting', reason: 'ContainerCreating' };
export const initialising: ContainerState = { kind: 'waiting', reason: 'PodInitializing' };

export const newRun = (container: { name: string; image: string }, state: ContainerState): ContainerRun => ({
  name: container.name,
  image: container.image,
  state,
  restarts: 0,
  ready: false,
  imageId: '',
});
