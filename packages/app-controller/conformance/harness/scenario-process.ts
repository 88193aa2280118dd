/** Runs scenarios on embedded clusters. */
import { serveScenarios } from './serve-scenarios.ts';
import { openEmbeddedTarget } from './target.ts';

serveScenarios({ open: () => openEmbeddedTarget({ storage: false }), scenariosPerLane: 20 });
