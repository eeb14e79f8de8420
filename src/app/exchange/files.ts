/** Which files are networks of other programs. */

/** For choosing files: networks, the files of their weights, and logs of their training. */
export const NETWORK_FILES =
  '.onnx,.safetensors,.pt,.pth,.ckpt,.tar,.keras,.h5,.hdf5,.json,.bin,.data,.zip,.ipynb,.jsonl,.log,.txt';

/** In the archive of a run; the names of an archive's files stand at its end. */
const OF_RUNS = 'timings.json';
const OF_NETWORKS = /\.(onnx|safetensors|bin|pt|pth|ckpt|keras|h5|hdf5|ipynb)/i;
const DIRECTORY = 64 << 10;

/** Whether a file is the archive of a run: one with its files, or another one named .zip, unless it has those of a network. */
export async function isRunArchive(file: File): Promise<boolean> {
  const isNamedZip = /\.zip$/i.test(file.name);
  if (!isNamedZip && (await file.slice(0, 2).text()) !== 'PK') return false;
  const end = await file.slice(-DIRECTORY).arrayBuffer();
  const names = new TextDecoder('latin1').decode(end);
  return names.includes(OF_RUNS) || (isNamedZip && !OF_NETWORKS.test(names));
}

/** Whether a file is a model that wgrad wrote, without weights. */
export const isModelFile = async (file: File): Promise<boolean> =>
  /\.json$/i.test(file.name) && !(await file.text()).includes('"modelTopology"');
