import { agent } from './list/agent.ts';
import { api } from './list/api.ts';
import { apimachinery } from './list/apimachinery.ts';
import { appController } from './list/app-controller.ts';
import { cli } from './list/cli.ts';
import { controlPlane } from './list/control-plane.ts';
import { engine } from './list/engine.ts';
import { images } from './list/images.ts';
import { kube } from './list/kube.ts';
import { prepull } from './list/prepull.ts';
import { render } from './list/render.ts';
import { server } from './list/server.ts';
import { service } from './list/service.ts';
import { source } from './list/source.ts';
import type { Mutant } from './mutant.ts';

/** Every mutant, by package. */
export const mutants: readonly Mutant[] = [
  ...apimachinery,
  ...kube,
  ...api,
  ...controlPlane,
  ...render,
  ...source,
  ...engine,
  ...appController,
  ...service,
  ...agent,
  ...images,
  ...prepull,
  ...server,
  ...cli,
];
