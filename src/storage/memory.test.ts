import { MemoryFileStore } from './memory.ts';
import { testFileStore } from './testing.ts';

testFileStore('memory', () => new MemoryFileStore());
