/** Loaded into every process of a soak test before its program: measures how long the process itself blocks its event loop. */
import { measureEventLoopLag } from '@fairlead/kube/testing';

// A longer interval than in tests: nine processes with a timer would themselves be load.
const lag = measureEventLoopLag(20);
Object.assign(globalThis, { takeLongestDelay: lag.take });
