/** Before each file of a project whose files share processes. */
import { afterAll } from 'vitest';
import { closeTestDevices } from './gpu.ts';

afterAll(closeTestDevices);
