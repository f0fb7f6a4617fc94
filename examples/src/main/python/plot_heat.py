"""Prints the plate of HeatOutputKt from its hot edge downwards, a line for each record; or draws its last record: FILE [PICTURE]"""

import sys

import netCDF4

with netCDF4.Dataset(sys.argv[1]) as file:
    temperature = file["temperature"]
    for time, plate in zip(file["time"], temperature):
        middle = plate[::8, plate.shape[1] // 2]
        print(f"{time:6.1f} s |" + "".join(" .:-=+*#%@"[int(each / 10.01)] for each in middle) + "|")
    if len(sys.argv) > 2:
        import matplotlib.pyplot as plot

        plot.imshow(temperature[-1])
        plot.colorbar(label=temperature.units)
        plot.savefig(sys.argv[2])
